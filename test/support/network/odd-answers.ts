/** An answer as an old server, or a proxy, may send it. */
export interface OddAnswer {
  readonly bytes: string;
  /** The body, if a client should read it; otherwise the reason why ours does not. */
  readonly outcome: { readonly body: string } | { readonly refused: string };
  /** Absent: the connection stays open after the answer. */
  readonly closes?: true;
  /**
   * Why ours differs from the other clients, where both of them agree and it does not.
   */
  readonly differs?: string;
}

const read = (bytes: string, body = 'ok'): OddAnswer => ({ bytes, outcome: { body } });
const ending = (bytes: string, body = 'ok'): OddAnswer => ({ ...read(bytes, body), closes: true });
const refused = (bytes: string, reason: string, differs?: string): OddAnswer => ({
  bytes,
  outcome: { refused: reason },
  closes: true,
  ...(differs && { differs }),
});
const head = (...lines: string[]) => `HTTP/1.1 200 OK\r\n${lines.map((line) => `${line}\r\n`).join('')}\r\n`;
const TWO = 'Content-Length: 2';
const plain = (...lines: string[]) => `${head(...lines, TWO)}ok`;
const chunks = (body: string, ...lines: string[]) => head(...lines, 'Transfer-Encoding: chunked') + body;
const OK_CHUNKS = '2\r\nok\r\n0\r\n\r\n';

const NO_LENGTH = 'the content-length of the answer is not one number';
const DISCARD = 'RFC 9112, section 6.3: a client must discard it';

export const ODD_ANSWERS: Readonly<Record<string, OddAnswer>> = {
  '204 with a length': read('HTTP/1.1 204 No Content\r\nContent-Length: 2\r\n\r\n', ''),
  '204 with a body': ending('HTTP/1.1 204 No Content\r\nContent-Length: 2\r\n\r\nok', ''),
  '204 in no chunks': ending('HTTP/1.1 204 No Content\r\nTransfer-Encoding: chunked\r\n\r\n', ''),
  'a body longer than announced': read(`${plain()}ay`),
  'a last body longer than announced': ending(`${plain('Connection: close')}\r\n`),
  'no length': ending(`${head()}ok`),
  'HTTP/1.0 without a length': ending('HTTP/1.0 200 OK\r\n\r\nok'),
  'HTTP/1.0 that keeps alive': read(
    'HTTP/1.0 200 OK\r\nConnection: Keep-Alive\r\nContent-Length: 2\r\n\r\nok',
  ),
  'HTTP/1.0 in chunks': ending(`HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${OK_CHUNKS}`),
  'HTTP/1.2': read('HTTP/1.2 200 OK\r\nContent-Length: 2\r\n\r\nok'),
  'two spaces before the status': read('HTTP/1.1  200 OK\r\nContent-Length: 2\r\n\r\nok'),
  'no reason phrase': read('HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nok'),
  'a long reason phrase in Latin-1': read(
    `HTTP/1.1 200 ${'\xe9'.repeat(20_000)}\r\nContent-Length: 2\r\n\r\nok`,
  ),
  'LF as the end of lines': read(plain().replaceAll('\r', '')),
  'LF as the end of the status line': read(plain().replace('\r', '')),
  'LF as the last end': read('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\nok'),
  'a folded header': read(plain('X-A: a', '  b')),
  'a header folded with a tab': read(plain('X-A: a', '\tb')),
  'a folded length': read(`${head('Content-Length:', ' 2')}ok`),
  'the length twice': read(plain(TWO)),
  'the length as a list': read(`${head('Content-Length: 2, 02')}ok`),
  'a length between tabs': read(`${head('Content-Length:\t2\t')}ok`),
  'a space before a colon': read(`${head('Content-Length : 2')}ok`),
  'a header with a space in its name': read(plain('X A: 2')),
  'a header with odd characters in its name': read(plain('X(\xe9): 2')),
  'a header without a name': read(plain(': 2')),
  'a line that is no header': read(plain('Notice')),
  'a second status line': read(plain('HTTP/1.1 200 OK')),
  'Latin-1 in a header': read(plain('X-A: caf\xe9')),
  'control characters in headers': read(plain('X-A: a\x01b\x7f', 'Retry-After: 1\x01')),
  'a bare CR in a header': read(plain('X-A: a\rb')),
  'ninety headers': read(plain(...Array.from({ length: 90 }, (_, index) => `X-${index}: a`))),
  'an offer to upgrade': read(plain('Upgrade: h2,h2c', 'Connection: Upgrade, Keep-Alive')),
  'an odd connection': read(plain('Connection: keep-alive, , odd')),
  'an end after all': ending(plain('Connection: keep-alive', 'Connection: Close')),
  'no transfer coding': ending(plain('Transfer-Encoding: identity')),
  'chunks and a length': read(chunks(OK_CHUNKS, 'Content-Length: 12')),
  'chunks in capitals': read(`${head('transfer-encoding: Chunked')}${OK_CHUNKS}`),
  'chunks, said twice': read(chunks(OK_CHUNKS, 'Transfer-Encoding: chunked')),
  'extensions of chunks': read(chunks('2 ; a = "b;c"\r\nok\r\n0;d\r\n\r\n')),
  'chunk sizes padded with spaces': read(chunks('2   \r\nok\r\n0   \r\n\r\n')),
  'chunk sizes padded with zeros': read(chunks('0002\r\nok\r\n0000\r\n\r\n')),
  'chunks with LF': read(chunks('2\nok\n0\n\n')),
  trailers: read(chunks('2\r\nok\r\n0\r\nX-T: a\r\nX U: b\r\n\r\n')),
  '100 with a length': read(`HTTP/1.1 100 Continue\r\nContent-Length: 0\r\n\r\n${plain()}`),
  '100 with LF': read(`HTTP/1.1 100 Continue\n\n${plain()}`),

  'two lengths': refused(`${head(TWO, 'Content-Length: 3')}ok`, NO_LENGTH),
  'two lengths as a list': refused(`${head('Content-Length: 2, 3')}ok`, NO_LENGTH, DISCARD),
  'a length with a sign': refused(`${head('Content-Length: +2')}ok`, NO_LENGTH, DISCARD),
  'a length with a unit': refused(`${head('Content-Length: 2 bytes')}ok`, NO_LENGTH, DISCARD),
  'a length in decimals': refused(`${head('Content-Length: 2.0')}ok`, NO_LENGTH, DISCARD),
  'an empty length': refused(`${head('Content-Length:')}ok`, NO_LENGTH),
  'an immense length': refused(`${head(`Content-Length: ${'9'.repeat(20)}`)}ok`, NO_LENGTH),
  'a head that breaks off': refused(
    'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n',
    'the connection was closed before the answer was complete',
    'RFC 9112, section 8: the status of an incomplete head says little',
  ),
  'chunks without the last': refused(
    chunks('2\r\nok\r\n'),
    'the connection was closed before the answer was complete',
  ),
  'no chunks': refused(chunks('hello\r\n'), 'the body of the answer is not in chunks, as its head says'),
  'a chunk size in C': refused(
    chunks('0x2\r\nok\r\n'),
    'the body of the answer is not in chunks, as its head says',
  ),
  'a chunk longer than its size': refused(
    chunks('2\r\nokay\r\n0\r\n\r\n'),
    'the body of the answer is not in chunks, as its head says',
  ),
  ...Object.fromEntries(
    [
      'http/1.1 200 OK',
      'HTTP/1 200 OK',
      'HTTP/3.0 200 OK',
      'HTTP/1.1 20 OK',
      'HTTP/1.1 2000 OK',
      'HTTP/1.1 099 OK',
      'HTTP/1.1 200, OK',
      'ICY 200 OK',
      'RTSP/1.0 200 OK',
      'Status: 200 OK',
    ].map((line) => [line, refused(`${line}\r\n${TWO}\r\n\r\nok`, 'the answer is not HTTP/1.1')]),
  ),
};
