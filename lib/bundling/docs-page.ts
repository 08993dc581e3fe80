import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { buildSync } from 'esbuild';
import {
  GUIDES,
  PAGE_FILE,
  PAGE_HEADERS_FILE,
  type PageHeaders,
} from '../../functions/api/docs-page/page-files.ts';
import { root } from './bundle.ts';

/**
 * The page that renders the OpenAPI document. It is self-contained, and its content security policy allows
 * requests to its own host only.
 */
export function docsPageHtml(): { readonly html: string; readonly headers: PageHeaders } {
  const { script, style } = inlined();
  return {
    html: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Payhooks API</title>
<link rel="icon" href="data:,">
<!-- Swagger UI (Apache License 2.0): https://github.com/swagger-api/swagger-ui -->
<style>${style}</style>
</head>
<body>
<main id="reference"></main>
<noscript>This page needs JavaScript. The document itself is at <a href="openapi.json">openapi.json</a>.</noscript>
<script>${script}</script>
</body>
</html>
`,
    headers: {
      'content-security-policy': [
        "default-src 'none'",
        `script-src '${hashOf(script)}'`,
        `style-src '${hashOf(style)}'`,
        'img-src data:',
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
      ].join('; '),
    },
  };
}

/** Writes the page and the guides where `docs-page` reads them. */
export function writeDocsPage(folder: string): void {
  const { html, headers } = docsPageHtml();
  // Quality 11 saves another 10 % and takes twenty times as long.
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9 };
  writeFileSync(path.join(folder, PAGE_FILE), brotliCompressSync(html, { params }));
  writeFileSync(path.join(folder, PAGE_HEADERS_FILE), JSON.stringify(headers));
  for (const guide of GUIDES) {
    const text = readFileSync(path.join(root, 'docs', guide));
    writeFileSync(path.join(folder, `${guide}.br`), brotliCompressSync(text, { params }));
  }
}

function inlined(): { readonly script: string; readonly style: string } {
  const { outputFiles } = buildSync({
    entryPoints: [path.join(root, 'functions/api/docs-page/page/page.js')],
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

function hashOf(inline: string): string {
  return `sha256-${createHash('sha256').update(inline).digest('base64')}`;
}
