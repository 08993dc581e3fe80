import type { Frame } from './frames.ts';

/** Narrower bars would show nothing. */
const MIN_SHARE = 0.0005;

/**
 * A self-contained HTML page: each bar is a function, as wide as its time including callees. A click zooms
 * in, a click on the top bar zooms out.
 */
export function flameGraph(top: Frame, title: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${escaped(title)}</h1>
<p>${top.totalMs.toFixed(0)} ms busy. Each bar is as wide as its function, including callees. Click a bar to zoom in, the top bar to zoom out.</p>
<main>${bar(top, top.totalMs, top.totalMs)}</main>
<script>${SCRIPT}</script>
</body>
</html>
`;
}

function bar(frame: Frame, parentMs: number, allMs: number): string {
  const { name, part, selfMs, totalMs, children } = frame;
  const share = (ms: number) => `${((ms / allMs) * 100).toFixed(1)} %`;
  const tooltip = `${name}${part === '' ? '' : `\n${part}`}\n${totalMs.toFixed(1)} ms, ${share(totalMs)}; self ${selfMs.toFixed(1)} ms, ${share(selfMs)}`;
  const below = children
    .filter((child) => child.totalMs / allMs >= MIN_SHARE)
    .map((child) => bar(child, totalMs, allMs))
    .join('');
  const width = parentMs === 0 ? 0 : (totalMs / parentMs) * 100;
  return `<div class="frame" style="width:${width.toFixed(3)}%"><span style="--hue:${hueOf(part)}" title="${escaped(tooltip).replaceAll('\n', '&#10;')}">${escaped(name)}</span>${below === '' ? '' : `<div class="below">${below}</div>`}</div>`;
}

/** A part has the same colour in every graph. */
function hueOf(part: string): number {
  let hue = 0;
  for (const character of part) hue = (hue * 31 + (character.codePointAt(0) ?? 0)) % 360;
  return hue;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

const STYLE = `
:root { color-scheme: light dark; font: 12px/1.5 system-ui, sans-serif; }
body { margin: 1rem; }
.below { display: flex; }
.frame { min-width: 0; flex: none; }
.frame > span { display: block; overflow: hidden; white-space: nowrap; height: 1.5em; padding: 0 .25em; cursor: pointer;
  background: hsl(var(--hue) 70% 80%); color: #111; border: solid Canvas; border-width: 0 1px 1px 0; box-sizing: border-box; }
.frame > span:hover { filter: brightness(.85); }
.aside { display: none; }
.whole { width: 100% !important; }`;

const SCRIPT = `
document.querySelector('main').addEventListener('click', ({ target }) => {
  if (target.tagName !== 'SPAN') return;
  for (const one of document.querySelectorAll('.aside, .whole')) one.classList.remove('aside', 'whole');
  for (let frame = target.parentElement; frame.matches('.frame'); frame = frame.parentElement.parentElement) {
    frame.classList.add('whole');
    for (const other of frame.parentElement.children) if (other !== frame) other.classList.add('aside');
    if (!frame.parentElement.matches('.below')) break;
  }
});`;
