const [CR, LF, ONE] = [0x0d, 0x0a, 0x31];
const NOTHING = Buffer.alloc(0);

/** Blank lines before a status line are passed over: RFC 9112, section 2.2. 101 is no interim answer to who has not asked for an upgrade. */
const INTERIM = /^HTTP\/1\.[01] 1(?!01)\d\d[ \r\n]/;
const STATUS_BYTES = 'HTTP/1.1 100 '.length;
const CLASS_AT = 'HTTP/1.1 '.length;

/**
 * Leaves out of what a receiver sends what comes before its answer: blank lines, and answers with 1xx, "even if the client does not
 * expect one" (RFC 9110, section 15.2). undici hangs up at `100 Continue`.
 *
 * @returns takes what comes, chunk by chunk, for one request; keeps no more than some bytes back
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
          // An end may have begun.
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
      // An answer has another digit here: most are known by it.
      if (bytes[at + CLASS_AT] !== ONE || !INTERIM.test(bytes.toString('latin1', at, at + STATUS_BYTES))) {
        state = 'answer';
        return bytes.subarray(at);
      }
      state = 'in one';
    }
  };
}

/** Behind the blank line that ends a head. Looks no further than that: there may be thousands of heads in what has come. */
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
