import { createHash } from 'node:crypto';
import path from 'node:path';
import { buildSync } from 'esbuild';
import { root } from './bundle.ts';

/** The head of a page that search engines leave out. */
export const NOT_INDEXED = '<meta name="robots" content="noindex">';

const ONLY_NUMBERS = path.join(import.meta.dirname, 'only-numbers.ts');

/** What a page runs and how it looks: all of it is in the page. */
export interface Inlined {
  readonly script: string;
  readonly style: string;
}

/** Bundles a module for browsers, with the styles that it imports. */
export function inlined(entry: string): Inlined {
  const { outputFiles } = buildSync({
    entryPoints: [entry],
    alias: { 'd3-interpolate': ONLY_NUMBERS, 'd3-format': ONLY_NUMBERS },
    bundle: true,
    minify: true,
    platform: 'browser',
    format: 'iife',
    target: 'es2022',
    legalComments: 'none',
    logLevel: 'warning',
    absWorkingDir: root,
    outdir: 'page',
    write: false,
  });
  const text = (extension: string) =>
    outputFiles.find(({ path: file }) => file.endsWith(extension))?.text.trim() ?? '';
  // After `<!--` in a script, HTML may ignore `</script>`. Here it occurs only in strings and patterns, so
  // escaping it is safe.
  return { script: text('.js').replaceAll('<!--', '\\x3C!--'), style: text('.css') };
}

/**
 * A page that holds all that it runs and how it looks. Its parts are HTML.
 *
 * @param head elements besides those of every page
 * @param body what the script finds
 */
export function pageHtml(
  { script, style }: Inlined,
  { title, head, body }: { readonly title: string; readonly head: string; readonly body: string },
): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
${head}
<style>${style}</style>
</head>
<body>
${body}
${script === '' ? '' : `<script>${script}</script>`}
</body>
</html>
`;
}

/**
 * Allows exactly this script and this style, and requests to the page's own host.
 *
 * @param framedBy origins whose pages may show it in a frame
 * @param also directives
 */
export function contentSecurityPolicy(
  { script, style }: Inlined,
  framedBy: readonly string[] = [],
  ...also: readonly string[]
): string {
  return [
    "default-src 'none'",
    `script-src '${hashOf(script)}'`,
    `style-src '${hashOf(style)}'`,
    'img-src data:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${framedBy.length === 0 ? "'none'" : framedBy.join(' ')}`,
    ...also,
  ].join('; ');
}

function hashOf(inline: string): string {
  return `sha256-${createHash('sha256').update(inline).digest('base64')}`;
}
