import fc from 'fast-check';
import { withoutInterimAnswers } from '../../../../functions/adapters/http/interim-answers.ts';

const through = (chunks: readonly string[]) => {
  const leaveOut = withoutInterimAnswers();
  return chunks.map((chunk) => leaveOut(Buffer.from(chunk, 'latin1')).toString('latin1')).join('');
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
