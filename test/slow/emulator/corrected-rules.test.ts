import { EVENT_SOURCE, restPattern, shardPattern, shardsOf } from '../../../lib/shards.ts';
import { STAGES } from '../../../payhooks.config.ts';
import { pythonSays } from './python-says.ts';

const ASK = `
import json, sys
from corrected_rules import patterns_read_once

class View:
    def __init__(self, event): self.event = event
    def envelope(self): return self.event
    def event_with_detail(self): return self.event

matches = patterns_read_once(lambda view, alternative: "left to the emulator")
patterns, events = json.loads(sys.argv[1])
print(json.dumps([[matches(View(event), pattern) for pattern in patterns] for event in events]))
`;

const LEFT = 'left to the emulator';

/** The result of each of these patterns for each of these events. */
async function answers(patterns: readonly object[], events: readonly object[]): Promise<unknown[][]> {
  return JSON.parse(await pythonSays(ASK, JSON.stringify([patterns, events]))) as unknown[][];
}

const pattern = (detail: object, source: unknown = [EVENT_SOURCE]) => ({ source, detail });
const event = (detail: unknown, source: unknown = EVENT_SOURCE) => ({ source, detail });
const SHARDS = shardsOf(STAGES.local.shards);
const RULES = [...SHARDS.map((shard) => pattern(shardPattern(shard))), pattern(restPattern())];
const REST = SHARDS.length;

test('each payment id that is a string matches the rule of its last character, or the rest', async () => {
  const last = SHARDS.flatMap(({ suffixes }, shard) =>
    suffixes.map((suffix) => ({ id: `pay-${suffix}`, shard })),
  );
  const others = ['', 'pay-é', 'pay-a ', '\u2028', 'a"'].map((id) => ({ id, shard: REST }));
  const all = [...last, ...others];

  const said = await answers(
    RULES,
    all.map(({ id }) => event({ payment_id: id })),
  );

  expect(said.map((one) => one.flatMap((answer, rule) => (answer === true ? [rule] : [])))).toEqual(
    all.map(({ shard }) => [shard]),
  );
  expect(said.flat().every((answer) => typeof answer === 'boolean')).toBe(true);
});

test('an event of another source matches no rule', async () => {
  expect(await answers(RULES, [event({ payment_id: 'pay-a' }, 'others')])).toEqual([RULES.map(() => false)]);
});

test('a payment id that is not a string is left to the emulator', async () => {
  const odd = [null, 5, true, {}, ['pay-a'], undefined].map((payment_id) => event({ payment_id }));
  const said = await answers(RULES, [...odd, event('pay-a'), event(null), event({ payment_id: 'a' }, null)]);
  expect(new Set(said.flat())).toEqual(new Set([LEFT]));
});

test.each([
  ['another kind of condition', pattern({ payment_id: [{ prefix: 'pay' }] })],
  ['a number among the strings', pattern({ payment_id: [5, { suffix: 'a' }] })],
  ['a source that is a condition', pattern({ payment_id: [{ suffix: 'a' }] }, [{ prefix: 'pay' }])],
  ['two members', pattern({ payment_id: [{ suffix: 'a' }], live: ['yes'] })],
  ['a nested field', pattern({ payment: { id: [{ suffix: 'a' }] } })],
  ['no detail', { source: [EVENT_SOURCE] }],
  ['more fields of the envelope', { ...pattern({ payment_id: [{ suffix: 'a' }] }), account: ['1'] }],
])('a pattern with %s is left to the emulator', async (_, given) => {
  expect(await answers([given], [event({ payment_id: 'pay-a' })])).toEqual([[LEFT]]);
});

test('string values and existence are supported', async () => {
  const exact = pattern({ payment_id: ['pay-a', { suffix: 'b' }] });
  const any = pattern({ payment_id: [{ exists: true }] });
  const none = pattern({ payment_id: [{ exists: false }] });
  expect(
    await answers([exact, any, none], [event({ payment_id: 'pay-a' }), event({ payment_id: 'pay-c' })]),
  ).toEqual([
    [true, true, false],
    [false, true, false],
  ]);
});
