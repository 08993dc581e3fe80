import fc from 'fast-check';
import { plainAnswer } from '../../../../functions/adapters/http/plain-answer.ts';
import { FUZZED_INPUTS, FUZZING_MS } from '../../../support/fuzzed-inputs.ts';
import { ODD_ANSWERS } from '../../../support/network/odd-answers.ts';

const through = (chunks: readonly string[]) => {
  const plain = plainAnswer();
  return chunks
    .map((chunk) => {
      const bytes = Buffer.from(chunk, 'latin1');
      const left = plain(bytes).toString('latin1');
      // As does whoever receives the next chunk into the same memory.
      bytes.fill('?');
      return left;
    })
    .join('');
};

/** What is left, or why nothing is. */
const outcome = (chunks: readonly string[]) => {
  try {
    return through(chunks);
  } catch (error) {
    return error;
  }
};

const ANSWER = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';
const PLAIN = 'HTTP/1.1 200 \r\ncontent-length: 2\r\n\r\nok';
const interim = fc.oneof(
  fc.constantFrom(
    'HTTP/1.1 100 Continue\r\n\r\n',
    'HTTP/1.0 100\r\n\r\n',
    'HTTP/1.1 102 Processing\r\nx-so: far\r\n\r\n',
    'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\nlink: </b>\r\n\r\n',
    'HTTP/1.1 199 Odd\n\n',
    '\r\n',
    '\n\r\n',
  ),
);
/** The same bytes, split at random. */
const cut = (text: string) =>
  fc
    .uniqueArray(fc.nat(text.length), { maxLength: 8 })
    .map((cuts) => [0, ...cuts.toSorted((one, other) => one - other), text.length])
    .map((cuts) => cuts.slice(1).map((end, index) => text.slice(cuts[index], end)));

test('only the answer is left, however the bytes are split', () => {
  fc.assert(
    fc.property(
      fc.array(interim, { maxLength: 4 }).chain((before) => cut([...before, ANSWER].join(''))),
      (chunks) => {
        expect(through(chunks)).toBe(PLAIN);
      },
    ),
    { numRuns: 1_000 },
  );
});

const noise = fc.oneof(
  interim,
  fc.constantFrom('HTTP/1.1 ', 'HTTP/1.1 1', '100 ', '\r', '\n', ' ', ';', '0', 'a', ANSWER),
  fc.constantFrom(...Object.values(ODD_ANSWERS).map(({ bytes }) => bytes.slice(0, 300))),
  fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
);

test(
  'of any bytes the same is left however they are split, and the head is plain',
  () => {
    fc.assert(
      fc.property(
        fc
          .array(noise, { maxLength: 8 })
          .map((parts) => parts.join(''))
          .chain((text) => fc.tuple(fc.constant(text), cut(text))),
        ([text, chunks]) => {
          const left = outcome([text]);
          expect([text, outcome(chunks)]).toEqual([text, left]);
          if (typeof left === 'string' && left !== '') {
            expect([text, left]).toEqual([text, expect.stringMatching(PLAIN_HEAD)]);
          }
        },
      ),
      { numRuns: FUZZED_INPUTS },
    );
  },
  FUZZING_MS,
);

const PLAIN_HEAD =
  /^HTTP\/1\.[01] [2-9]\d\d \r\n(content-length: \d+\r\n|transfer-encoding: chunked\r\n)?(connection: (close|keep-alive)\r\n)?((retry-after|webhook-delivery|keep-alive): \P{Cc}*\r\n){0,3}\r\n/u;
