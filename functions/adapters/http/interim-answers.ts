const [CR, LF, ONE] = [0x0d, 0x0a, 0x31];
const NOTHING = Buffer.alloc(0);

/**
 * Blank lines before a status line are skipped: RFC 9112, section 2.2. Without an upgrade request, 101 is not
 * an interim answer.
 */
const INTERIM = /^HTTP\/1\.[01] 1(?!01)\d\d[ \r\n]/;
const STATUS_BYTES = 'HTTP/1.1 100 '.length;
const CLASS_AT = 'HTTP/1.1 '.length;

/**
 * Removes what comes before the answer: blank lines, and 1xx answers, which may come "even if the client does
 * not expect one" (RFC 9110, section 15.2). undici hangs up at `100 Continue`.
 *
 * @returns a filter for the chunks of one request; it holds back a few bytes at most
 */
export function withoutInterimAnswers(): (chunk: Buffer) => Buffer {
  let state: 'before' | 'in one' | 'answer' = 'before';
  let kept: Buffer = NOTHING;

  return (chunk) => {
    if (state === 'answer') {
      return chunk;
    }
    const bytes = kept.length === 0 ? chunk : Buffer.concat([kept, chunk]);
    kept = NOTHING;
    for (let at = 0; ; ) {
      if (state === 'in one') {
        const end = endOfHead(bytes, at);
        if (end === undefined) {
          // An end may have started.
          kept = Buffer.from(bytes.subarray(Math.max(at, bytes.length - 2)));
          return NOTHING;
        }
        at = end;
      }
      at = afterBlankLines(bytes, at);
      state = 'before';
      if (bytes.length - at < STATUS_BYTES) {
        kept = Buffer.from(bytes.subarray(at));
        return NOTHING;
      }
      // Most answers are recognised by this digit.
      if (bytes[at + CLASS_AT] !== ONE || !INTERIM.test(bytes.toString('latin1', at, at + STATUS_BYTES))) {
        state = 'answer';
        return bytes.subarray(at);
      }
      state = 'in one';
    }
  };
}

/** The index after the blank line that ends a head. Looks no further: thousands of heads may have arrived. */
function endOfHead(bytes: Buffer, from: number): number | undefined {
  for (let at = bytes.indexOf(LF, from); at >= 0; at = bytes.indexOf(LF, at + 1)) {
    const next = bytes[at + 1] === CR ? at + 2 : at + 1;
    if (bytes[next] === LF) {
      return next + 1;
    }
  }
  return undefined;
}

function afterBlankLines(bytes: Buffer, from: number): number {
  let at = from;
  while (bytes[at] === CR || bytes[at] === LF) {
    at += 1;
  }
  return at;
}
