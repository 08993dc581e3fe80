import { parseArgs } from 'node:util';
import { explanation } from '../../../../cli/terminal/explanation.ts';

/** What Node throws at arguments that it does not know, as an Error of the test's own realm. */
function refusalOf(args: string[]): unknown {
  try {
    return parseArgs({ args, allowPositionals: true });
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    return Object.assign(new TypeError(message), { code });
  }
}

test.each(['--scope', '-s'])(
  'the option %s that there is not is named, and where all are listed',
  (option) => {
    expect(explanation(refusalOf([option]))).toBe(`There is no option ${option}; --help lists all`);
  },
);

test('that nothing answers is told by the cause of the error', () => {
  const cause = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:45999'), { code: 'ECONNREFUSED' });
  expect(explanation(new TypeError('fetch failed', { cause }))).toBe(
    'nothing answers: connect ECONNREFUSED 127.0.0.1:45999',
  );
});

test('of several addresses that do not answer the code is told', () => {
  const cause = Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' });
  expect(explanation(new TypeError('fetch failed', { cause }))).toBe('nothing answers: ECONNREFUSED');
});

test('a mistake of ours keeps its stack trace', () => {
  expect(explanation(new TypeError('x is not a function'))).toBeUndefined();
});
