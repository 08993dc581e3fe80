import { plainHead } from './answer-head.ts';
import { UnreadableAnswerError } from './connection-failure.ts';
import { plainChunks } from './plain-chunks.ts';

const [CR, LF] = [0x0d, 0x0a];
const NOTHING = Buffer.alloc(0);

const HTTP = /^HTTP\/\d\.\d /;
/** Without an upgrade request, 101 is not an interim answer. */
const INTERIM = /^HTTP\/1\.\d 1(?!01)\d\d[ \r\n]/;
const STATUS_BYTES = 'HTTP/1.1 100 '.length;

/** CR, CR, LF: after the last line, a line without anything. */
const MAX_END_BYTES = 3;

/** As the documentation says: without the status line. */
const MAX_HEADER_BYTES = 16_384;

/**
 * Removes what comes before the answer: blank lines, and 1xx answers, which may come "even if the client does
 * not expect one" (RFC 9110, section 15.2). undici hangs up at `100 Continue`. The head and the
 * chunks of the answer are written plainly.
 *
 * @returns a filter for the chunks of one request; it holds back the head until that is complete
 * @throws UnreadableAnswerError when it cannot be read
 */
export function plainAnswer(): (chunk: Buffer) => Buffer {
  let state: 'before' | 'interim head' | 'head' | 'body' = 'before';
  let kept: Buffer = NOTHING;
  let plainBody = (chunk: Buffer) => chunk;

  return (chunk) => {
    if (state === 'body') {
      return plainBody(chunk);
    }
    const bytes = kept.length === 0 ? chunk : Buffer.concat([kept, chunk]);
    let searched = state === 'before' ? 0 : Math.max(0, kept.length - MAX_END_BYTES);
    const keep = (from: number) => {
      kept = Buffer.from(bytes.subarray(from));
      return NOTHING;
    };
    for (let at = 0; ; ) {
      if (state === 'before') {
        at = searched = afterBlankLines(bytes, at);
        if (bytes.length - at < STATUS_BYTES) {
          return keep(at);
        }
        state = isInterim(bytes, at) ? 'interim head' : 'head';
      }
      const end = endOfHead(bytes, searched);
      if (state === 'interim head') {
        if (end === undefined) {
          // An end may have started.
          return keep(Math.max(at, bytes.length - MAX_END_BYTES));
        }
        at = end;
        state = 'before';
        continue;
      }
      if (headerBytes(bytes.subarray(at, end)) > MAX_HEADER_BYTES) {
        throw new UnreadableAnswerError('oversized', 'answered with more than 16 KB of headers');
      }
      if (end === undefined) {
        return keep(at);
      }
      state = 'body';
      const { text, isChunked } = plainHead(bytes.toString('latin1', at, end));
      plainBody = isChunked ? plainChunks() : plainBody;
      return Buffer.concat([Buffer.from(text, 'latin1'), plainBody(bytes.subarray(end))]);
    }
  };
}

/** @throws UnreadableAnswerError when this is no status line */
function isInterim(bytes: Buffer, at: number): boolean {
  const start = bytes.toString('latin1', at, at + STATUS_BYTES);
  if (!HTTP.test(start)) {
    throw new UnreadableAnswerError('connect', 'the answer is not HTTP/1.1');
  }
  return INTERIM.test(start);
}

/** The index after the blank line that ends a head. Looks no further: thousands of heads may have arrived. */
function endOfHead(bytes: Buffer, from: number): number | undefined {
  for (let at = bytes.indexOf(LF, from); at >= 0; at = bytes.indexOf(LF, at + 1)) {
    let next = at + 1;
    while (bytes[next] === CR && next < at + MAX_END_BYTES) {
      next += 1;
    }
    if (bytes[next] === LF) {
      return next + 1;
    }
  }
  return undefined;
}

function headerBytes(head: Buffer): number {
  const statusLineEnd = head.indexOf(LF);
  return statusLineEnd < 0 ? 0 : head.length - statusLineEnd;
}

function afterBlankLines(bytes: Buffer, from: number): number {
  let at = from;
  while (bytes[at] === CR || bytes[at] === LF) {
    at += 1;
  }
  return at;
}
