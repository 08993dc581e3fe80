import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type DocsPageRequest, docsPage } from './docs-page.ts';
import {
  CONSOLE_FILE,
  CONSOLE_HEADERS_FILE,
  CONSOLE_PATH,
  GUIDE_FOLDER,
  GUIDES,
  OPENAPI_FILE,
  PAGE_FILE,
  PAGE_HEADERS_FILE,
  type PageHeaders,
} from './page-files.ts';

const beside = (file: string) => readFileSync(path.join(import.meta.dirname, file));

/** A page beside the bundle, with the headers that it needs. */
const page = (file: string, headersFile: string) => {
  const headers: PageHeaders = JSON.parse(beside(headersFile).toString('utf8'));
  return {
    brotli: beside(file),
    headers: { 'content-type': 'text/html; charset=utf-8', 'referrer-policy': 'no-referrer', ...headers },
  };
};

const answer = docsPage({
  '/v1/openapi.json': {
    brotli: beside(OPENAPI_FILE),
    headers: { 'content-type': 'application/json' },
  },
  '/v1/docs': page(PAGE_FILE, PAGE_HEADERS_FILE),
  [CONSOLE_PATH]: page(CONSOLE_FILE, CONSOLE_HEADERS_FILE),
  ...Object.fromEntries(
    GUIDES.map((guide) => [
      `${GUIDE_FOLDER}/${guide}`,
      // Browsers show plain text; Markdown they would download.
      { brotli: beside(`${guide}.br`), headers: { 'content-type': 'text/plain; charset=utf-8' } },
    ]),
  ),
});

export const handler = async (event: DocsPageRequest) => answer(event);
