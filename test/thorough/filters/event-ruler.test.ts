import { byEventRuler, type Pair } from '../../support/java/event-ruler/rule-by-rule.ts';
import { findJava } from '../../support/java/java.ts';
import { generatedPairs, isMeant, ours } from './generated-pairs.ts';

const PAIRS = 4_000;

const java = findJava(process.env);
const known = java as Exclude<typeof java, string>;
(typeof java === 'string' ? describe.skip : describe)('beside Event Ruler, Amazon’s matcher', () => {
  test('generated filters take the same of generated events, but for what is meant to differ', async () => {
    const pairs = generatedPairs(PAIRS);
    const theirs = await byEventRuler(pairs, known);
    const differing = pairs.filter(
      (pair, index) => theirs[index] !== ours(pair) && !isMeant(pair, theirs[index]!),
    );
    expect(differing).toEqual([]);
    expect(theirs.filter((one) => one === 'true').length).toBeGreaterThan(300);
  }, 180_000);

  const inA = (test: string) => `{"resource":{"a":[${test}]}}`;
  test.each([
    ['a range of one number', inA('{"numeric":[">=",5,"<=",5]}'), 'a', '5', 'Bottom must be less than top'],
    [
      'a number as text',
      inA('{"numeric":["=","9007199254740993"]}'),
      'a',
      '9007199254740993',
      'Value of equals must be numeric',
    ],
    [
      'what is absent, in $or',
      '{"resource":{"$or":[{"a":[null]},{"a":[null,{"exists":false}]}]}}',
      'b',
      '1',
      'false',
    ],
  ])(
    'differs on purpose, which we take: %s',
    async (_, filter, member, value, theirs) => {
      const pair: Pair = [filter, `{"resource":{"${member}":${value}}}`];
      expect([...(await byEventRuler([pair], known)), ours(pair)]).toEqual([theirs, 'true']);
    },
    60_000,
  );
});
