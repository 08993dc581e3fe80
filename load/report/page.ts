import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { html, type Markup, raw } from './html.ts';

const STYLE = ['../../console/style/common.css', ...['page', 'tables'].map((name) => `style/${name}.css`)]
  .map((file) => readFileSync(join(import.meta.dirname, file), 'utf8'))
  .join('\n');

/** A self-contained page: no script, font or image, and a policy that forbids loading any. */
export function page(title: string, body: Markup): string {
  return `<!doctype html>\n${html`<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${raw(STYLE)}</style>
</head>
<body><main>
${body}
</main></body>
</html>`}\n`;
}
