/** The page, compressed with brotli, beside the bundle. */
export const PAGE_FILE = 'page.html.br';

/** The partner's guides in docs/, which the page leads to: served below it, as text. */
export const GUIDES = ['receiving.md', 'api.md'] as const;

/** Where a guide is read; the API's description links to it from beside the page. */
export const GUIDE_FOLDER = '/v1/docs';

/** What has to be said with it, as JSON. */
export const PAGE_HEADERS_FILE = 'page-headers.json';

export interface PageHeaders {
  /** Names the very script and style that stand in the page. */
  readonly 'content-security-policy': string;
}
