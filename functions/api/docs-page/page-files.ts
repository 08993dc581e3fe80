/** The page, compressed with brotli, beside the bundle. */
export const PAGE_FILE = 'page.html.br';

/** The OpenAPI document, likewise, and where it is served. */
export const OPENAPI_FILE = 'openapi.json.br';
export const OPENAPI_PATH = '/v1/openapi.json';

/** The guides for partners in docs/: served below the page as text. */
export const GUIDES = ['receiving.md', 'api.md', 'filters.md', 'pull.md', 'proof.md', 'notices.md'] as const;

/** Guides in docs/ that are also served as pages, which the API reference and the console link to. */
export const GUIDE_PAGES = {
  'receiving.md': 'receiving.html',
  'api.md': 'api.html',
  'filters.md': 'filters.html',
  'pull.md': 'pull.html',
  'proof.md': 'proof.html',
  'notices.md': 'notices.html',
  'operations.md': 'operations.html',
} as const;

/** A page made of the event types of a stage, beside them. */
export const EVENT_TYPES_PAGE = 'event-types.html';

/** What a language model reads first, beside them. */
export const LLMS_FILE = 'llms.txt';

/** The headers that each of these pages needs, as JSON. */
export const GUIDE_HEADERS_FILE = 'guide-headers.json';

/** The programs in docs/ that the guides link to: served beside the guides, without their folders. */
export const EXAMPLES = [
  'examples/receiver.mjs',
  'examples/receiver.py',
  'examples/verify/verify.mjs',
  'examples/verify/verify.py',
  'examples/verify/Verify.java',
  'examples/verify/public-key.mjs',
  'examples/verify/http-signature.mjs',
  'examples/verify/post.sh',
  'examples/order/order.mjs',
  'examples/order/order.py',
  'examples/order/Order.java',
  'examples/order/order.go',
  'examples/frameworks/inbox.mjs',
  'examples/frameworks/express.mjs',
  'examples/frameworks/fastify.mjs',
  'examples/frameworks/hono.mjs',
  'examples/frameworks/next/app/webhooks/route.js',
  'examples/frameworks/inbox.py',
  'examples/frameworks/flask_app.py',
  'examples/frameworks/fastapi_app.py',
  'examples/frameworks/django_app.py',
  'examples/frameworks/nethttp.go',
  'examples/frameworks/SpringReceiver.java',
  'examples/frameworks/receive.php',
  'examples/frameworks/sinatra_app.rb',
] as const;

/** The path of guides and examples. The description of the API links to the guides relative to the page. */
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
  readonly 'cross-origin-opener-policy'?: 'same-origin';
}
