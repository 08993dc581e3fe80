/** The page, compressed with brotli, beside the bundle. */
export const PAGE_FILE = 'page.html.br';

/** The OpenAPI document, likewise. */
export const OPENAPI_FILE = 'openapi.json.br';

/** The guides for partners in docs/, which the page links to: served below it as text. */
export const GUIDES = ['receiving.md', 'api.md'] as const;

/** The path of the guides. The description of the API links to it relative to the page. */
export const GUIDE_FOLDER = '/v1/docs';

/** The console (`console/`), compressed with brotli, and where it is served. */
export const CONSOLE_FILE = 'console.html.br';
export const CONSOLE_PATH = '/v1/console';

/** The headers that the console needs, as JSON. */
export const CONSOLE_HEADERS_FILE = 'console-headers.json';

/** The headers that the page needs, as JSON. */
export const PAGE_HEADERS_FILE = 'page-headers.json';

export interface PageHeaders {
  /** Allows exactly the script and the style in the page, by their hashes. */
  readonly 'content-security-policy': string;
}
