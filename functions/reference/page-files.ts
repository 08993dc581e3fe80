/** The page, compressed with brotli, beside the bundle. */
export const PAGE_FILE = 'page.html.br';

/** What has to be said with it, as JSON. */
export const PAGE_HEADERS_FILE = 'page-headers.json';

export interface PageHeaders {
  /** Names the very script and style that stand in the page. */
  readonly 'content-security-policy': string;
}
