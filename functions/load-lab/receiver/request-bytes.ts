/** Headers that the function URL adds: the sender has not sent them. */
const ADDED = /^x-(?:amzn|forwarded)-/;

/**
 * The bytes of a request on the wire as HTTP/1.1: request line, headers with separators, and body, without
 * TLS and lower layers.
 */
export function requestBytes(request: {
  readonly method: string;
  /** Path with query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Uint8Array;
}): number {
  const { method, path, headers, body } = request;
  const sent = Object.entries(headers).filter(([name, value]) => value !== undefined && !ADDED.test(name));
  const head = [`${method} ${path} HTTP/1.1`, ...sent.map(([name, value]) => `${name}: ${value}`), '', ''];
  return Buffer.byteLength(head.join('\r\n')) + body.length;
}
