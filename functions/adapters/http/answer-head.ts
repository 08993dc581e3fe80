import { UnreadableAnswerError } from './connection-failure.ts';

const STATUS_LINE = /^HTTP\/(0\.9|1\.\d|2\.0) +([2-9]\d\d|101)(?!\S)/;
/** Their answers end with the head, whatever it says: RFC 9112, section 6.3. */
const WITHOUT_BODY = new Set(['204', '304']);
/** Control characters, which undici refuses. */
const CONTROL = /\p{Cc}/gu;
const USED =
  /^(content-length|transfer-encoding|connection|keep-alive|retry-after|webhook-delivery)[ \t]*:(.*)$/gim;
/** The first value counts. */
const PASSED_ON = ['retry-after', 'webhook-delivery', 'keep-alive'] as const;

interface PlainHead {
  readonly text: string;
  /** Whether the body comes in chunks. */
  readonly isChunked: boolean;
}

/**
 * Writes the head of an answer anew, as undici reads it: its parser refuses what RFC 9112 tells a client to
 * read, and what curl and others do read, such as a repeated length, a folded line, or LF as a line's end.
 * `insecureHTTPParser` of `node:http` refuses much of that, too. Only the headers that we, or undici, use are
 * kept. Bytes are characters of Latin-1.
 *
 * @throws UnreadableAnswerError when nobody can say where the answer ends
 */
export function plainHead(head: string): PlainHead {
  // A bare CR counts as a space, and so does the end of a line before a folded one: sections 2.2 and 5.2.
  const unfolded = head.replaceAll('\r', ' ').replace(/\n[ \t]+/g, ' ');
  const [, version = '', status = ''] = STATUS_LINE.exec(unfolded) ?? [];
  if (status === '') {
    throw new UnreadableAnswerError('connect', 'the answer is not HTTP/1.1');
  }
  if (status === '101') {
    throw new UnreadableAnswerError('connect', 'the answer began with 101, which was not requested');
  }
  // A higher minor version is read as the highest one known: RFC 9110, section 2.5.
  const isOld = version === '1.0' || version === '0.9';
  const headers = headersIn(unfolded);
  const of = (name: string) => headers.get(name) ?? [];
  const codings = tokens(of('transfer-encoding')).filter((coding) => coding !== 'identity');
  const lengths = of('content-length');
  const connection = tokens(of('connection'));

  const framing: string[] = [];
  let isChunked = false;
  let isLast = connection.includes('close');
  if (WITHOUT_BODY.has(status)) {
    // The announced body may come all the same, and must not be taken for the next answer.
    isLast ||= codings.length > 0 || lengths.some((length) => length !== '0');
  } else if (codings.length > 0) {
    isChunked = codings.at(-1) === 'chunked';
    // It overrides a length, and the connection ends: sections 6.1 and 6.3.
    isLast ||= isOld || lengths.length > 0;
  } else if (lengths.length > 0) {
    framing.push(`content-length: ${oneLength(lengths)}`);
  }
  if (isChunked) {
    framing.push('transfer-encoding: chunked');
  }
  if (isLast || connection.includes('keep-alive')) {
    framing.push(`connection: ${isLast ? 'close' : 'keep-alive'}`);
  }
  const passedOn = PASSED_ON.filter((name) => headers.has(name)).map((name) => `${name}: ${of(name)[0]}`);
  const start = `HTTP/${isOld ? '1.0' : '1.1'} ${status} `;
  return { text: [start, ...framing, ...passedOn, '', ''].join('\r\n'), isChunked };
}

/** By lower-case name, those that are used. Whatever is not a header is left out. */
function headersIn(head: string): ReadonlyMap<string, readonly string[]> {
  const headers = new Map<string, string[]>();
  for (const [, name = '', value = ''] of head.matchAll(USED)) {
    const key = name.toLowerCase();
    headers.set(key, headers.get(key) ?? []);
    headers.get(key)?.push(value.replace(CONTROL, ' ').trim());
  }
  return headers;
}

function tokens(values: readonly string[]): string[] {
  return values
    .join()
    .toLowerCase()
    .split(',')
    .map((token) => token.trim())
    .filter((token) => token !== '');
}

/** A length may be repeated, as several headers or as a list: RFC 9112, section 6.3. */
function oneLength(values: readonly string[]): string {
  const listed = values.flatMap((value) => value.split(','));
  const lengths = new Set(listed.map((one) => one.trim().replace(/^0+(?=\d)/, '')));
  const [length = ''] = lengths;
  if (lengths.size > 1 || !/^\d{1,15}$/.test(length)) {
    throw new UnreadableAnswerError('connect', 'the content-length of the answer is not one number');
  }
  return length;
}
