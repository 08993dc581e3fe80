import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type DocsPageRequest, docsPage } from './docs-page.ts';
import {
  CONSOLE_FILE,
  CONSOLE_HEADERS_FILE,
  CONSOLE_PATH,
  EVENT_TYPES_PAGE,
  EXAMPLES,
  GUIDE_FOLDER,
  GUIDE_HEADERS_FILE,
  GUIDE_PAGES,
  GUIDES,
  LLMS_FILE,
  OPENAPI_FILE,
  OPENAPI_PATH,
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
  [OPENAPI_PATH]: {
    brotli: beside(OPENAPI_FILE),
    headers: { 'content-type': 'application/json' },
  },
  [GUIDE_FOLDER]: page(PAGE_FILE, PAGE_HEADERS_FILE),
  [CONSOLE_PATH]: page(CONSOLE_FILE, CONSOLE_HEADERS_FILE),
  ...Object.fromEntries(
    [...Object.values(GUIDE_PAGES), EVENT_TYPES_PAGE].map((file) => [
      `${GUIDE_FOLDER}/${file}`,
      page(`${file}.br`, GUIDE_HEADERS_FILE),
    ]),
  ),
  ...Object.fromEntries(
    [...GUIDES, LLMS_FILE, ...EXAMPLES]
      .map((file) => path.basename(file))
      .map((file) => [
        `${GUIDE_FOLDER}/${file}`,
        // Browsers show plain text; Markdown they would download.
        { brotli: beside(`${file}.br`), headers: { 'content-type': 'text/plain; charset=utf-8' } },
      ]),
  ),
});

export const handler = async (event: DocsPageRequest) => answer(event);
