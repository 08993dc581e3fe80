import { readFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import document from '../../../docs/openapi.json' with { type: 'json' };
import { type DocsPageRequest, docsPage } from './docs-page.ts';
import { GUIDE_FOLDER, GUIDES, PAGE_FILE, PAGE_HEADERS_FILE, type PageHeaders } from './page-files.ts';

const beside = (file: string) => readFileSync(path.join(import.meta.dirname, file));
const pageHeaders: PageHeaders = JSON.parse(beside(PAGE_HEADERS_FILE).toString('utf8'));

const answer = docsPage({
  '/v1/openapi.json': {
    brotli: brotliCompressSync(JSON.stringify(document)),
    headers: { 'content-type': 'application/json' },
  },
  '/v1/docs': {
    brotli: beside(PAGE_FILE),
    headers: { 'content-type': 'text/html; charset=utf-8', 'referrer-policy': 'no-referrer', ...pageHeaders },
  },
  ...Object.fromEntries(
    GUIDES.map((guide) => [
      `${GUIDE_FOLDER}/${guide}`,
      // Browsers show plain text; Markdown they would download.
      { brotli: beside(`${guide}.br`), headers: { 'content-type': 'text/plain; charset=utf-8' } },
    ]),
  ),
});

export const handler = async (event: DocsPageRequest) => answer(event);
