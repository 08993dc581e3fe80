import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { consoleParts } from '#code';
import {
  CONSOLE_FILE,
  CONSOLE_HEADERS_FILE,
  type PageHeaders,
} from '../../functions/api/docs-page/page-files.ts';
import { type ConsoleSettings, checkedConsole } from './console-settings.ts';
import { contentSecurityPolicy, type Inlined, NOT_INDEXED, pageHtml } from './sealed-page.ts';

/**
 * The console, as one page. Its content security policy lets nothing become HTML or script that is not in it
 * now, whatever the API answers.
 */
export function consolePageHtml(
  settings?: ConsoleSettings,
  { script, style }: Inlined = consoleParts(),
): {
  readonly html: string;
  readonly headers: PageHeaders;
} {
  const { framedBy, product, careful, staysSignedIn, accent } = checkedConsole(settings);
  const inline = {
    script,
    style:
      accent === undefined ? style : `${style}:root{--brand:${accent.background};--on-brand:${accent.text}}`,
  };
  return {
    html: pageHtml(inline, {
      title: asHtml(product),
      head: NOT_INDEXED,
      body: `<div id="console"${careful ? ' data-careful' : ''}${staysSignedIn ? '' : ' data-stays-signed-in="no"'}><noscript>The console needs JavaScript. Everything that it does can also be done with the API: <a href="docs">docs</a>.</noscript></div>`,
    }),
    headers: {
      // No page that opened it, or that it opened, can reach its window. In a frame this has no effect.
      'cross-origin-opener-policy': 'same-origin',
      'content-security-policy': contentSecurityPolicy(
        inline,
        framedBy,
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
      ),
    },
  };
}

function asHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

/** Writes the console where `docs-page` reads it. */
export function writeConsolePage(folder: string, settings?: ConsoleSettings, parts?: Inlined): void {
  const { html, headers } = consolePageHtml(settings, parts);
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  writeFileSync(path.join(folder, CONSOLE_FILE), brotliCompressSync(html, { params }));
  writeFileSync(path.join(folder, CONSOLE_HEADERS_FILE), JSON.stringify(headers));
}
