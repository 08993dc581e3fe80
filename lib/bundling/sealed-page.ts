import { createHash } from 'node:crypto';

/** The head of a page that search engines leave out. */
export const NOT_INDEXED = '<meta name="robots" content="noindex">';

/** What a page runs and how it looks: all of it is in the page. */
export interface Inlined {
  readonly script: string;
  readonly style: string;
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
