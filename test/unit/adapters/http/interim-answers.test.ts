import fc from 'fast-check';
import { withoutInterimAnswers } from '../../../../functions/adapters/http/interim-answers.ts';
import { FUZZED_INPUTS, FUZZING_MS } from '../../../support/fuzzed-inputs.ts';

const through = (chunks: readonly string[]) => {
  const leaveOut = withoutInterimAnswers();
  return chunks
    .map((chunk) => {
      const bytes = Buffer.from(chunk, 'latin1');
      const left = leaveOut(bytes).toString('latin1');
      // As does whoever receives the next chunk into the same memory.
      bytes.fill('?');
      return left;
    })
    .join('');
};

const ANSWER = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';
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
        expect(through(chunks)).toBe(ANSWER);
      },
    ),
    { numRuns: 1_000 },
  );
});

test.each([
  ['an upgrade', 'HTTP/1.1 101 Switching Protocols\r\n\r\nHTTP/1.1 200 OK\r\n\r\n'],
  ['no HTTP', 'SSH-2.0-OpenSSH_9.6\r\n'],
  ['a status of four digits', 'HTTP/1.1 1000 Much\r\n\r\n'],
  ['an interim answer inside a body', `${ANSWER}HTTP/1.1 100 Continue\r\n\r\n`],
])('nothing is removed from %s', (_, bytes) => {
  expect(through([bytes])).toBe(bytes);
});

const noise = fc.oneof(
  interim,
  fc.constantFrom('HTTP/1.1 ', 'HTTP/1.1 1', '100 ', '\r', '\n', ' ', 'HTTP/1.1 101 Upgrade\r\n\r\n', ANSWER),
  fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
);

test(
  'of any bytes the end is left, the same however they are split, and at most a few are held back',
  () => {
    fc.assert(
      fc.property(
        fc
          .array(noise, { maxLength: 8 })
          .map((parts) => parts.join(''))
          .chain((text) => fc.tuple(fc.constant(text), cut(text))),
        ([text, chunks]) => {
          const left = through([text]);
          expect([text, through(chunks)]).toEqual([text, left]);
          const begins = /^[\r\n]*(HTTP\/1\.[01] 1(?!01)\d\d[ \r\n]|.{0,12}$)/s.test(text);
          expect([text, begins ? text.endsWith(left) : left]).toEqual([
            text,
            begins ? true : text.replace(/^[\r\n]+/, ''),
          ]);
        },
      ),
      { numRuns: FUZZED_INPUTS },
    );
  },
  FUZZING_MS,
);
