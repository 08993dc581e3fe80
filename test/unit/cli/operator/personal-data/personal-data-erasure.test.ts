import type { HeldOnRecord } from '../../../../../cli/operator/personal-data/held-on-record.ts';
import { erasureOf } from '../../../../../cli/operator/personal-data/personal-data-erasure.ts';
import { messageOnRecord } from '../../../../../cli/operator/personal-data/personal-data-on-record.ts';
import { record } from '../../../adapters/dynamodb/blocked-ordering-keys.ts';

const ENDED_AT = '2026-11-14T10:00:00.000Z';
const NOW = Date.parse('2026-11-14T11:00:00.000Z');
const succeeded = { state: 'succeeded', attempt_count: 1, ended_at: ENDED_AT } as const;

function message(number: number, over: Parameters<typeof record>[1] = succeeded, answer?: string) {
  const attempts = answer === undefined ? [] : [{ attempt: 2, response_body: answer }];
  return messageOnRecord(record(number, over), attempts);
}
const held = { waiting: [], left: [] };
const resource = (number: number, text = '{}') => ({ item: {}, event_id: `evt-${number}`, resource: text });

test('what has ended is erased, with the resources that nobody needs any more', () => {
  const [one, two] = [message(1), message(2, { ...succeeded, state: 'exhausted' })];
  const { messages, resources } = erasureOf({ messages: [one, two], resources: [resource(1)], held }, NOW);
  expect([messages, resources]).toEqual([[one, two], [resource(1)]]);
});

test.each(['retrying', 'parked'] as const)('what is %s is to be sent, and keeps its resource', (state) => {
  const waiting = message(1, { state });
  const erasure = erasureOf(
    { messages: [waiting, message(1), message(2)], resources: [resource(1), resource(2)], held },
    NOW,
  );
  expect(erasure.waiting).toEqual([waiting]);
  expect(erasure.resources).toEqual([resource(2)]);
});

test('an event that waits for its turn keeps its resource, and one that has gone on goes with its own', () => {
  const onHold = (number: number): HeldOnRecord => ({
    known: { event_id: `evt-${number}`, sequence: number, public_type: 'card_payment_captured' },
    item: {},
  });
  const [waits, gone] = [onHold(1), onHold(2)];
  const erasure = erasureOf(
    { messages: [], resources: [resource(1), resource(2)], held: { waiting: [waits], left: [gone] } },
    NOW,
  );
  expect(erasure).toMatchObject({ resources: [resource(2)], held: { waiting: [waits], left: [gone] } });
});

test('what ended a moment ago may still be written by a worker, for two minutes', () => {
  const one = message(1);
  const of = (afterMs: number) =>
    erasureOf({ messages: [one], resources: [resource(1)], held }, Date.parse(ENDED_AT) + afterMs);
  expect(of(119_999)).toMatchObject({ messages: [], resources: [], fresh: [one] });
  expect(of(120_000)).toMatchObject({ messages: [one], fresh: [] });
});

test('what was erased before is not erased again, unless an answer is left from an erasure that was cut short', () => {
  const { resource: _, ...bare } = record(1, { ...succeeded, body_erased_at: ENDED_AT });
  const done = messageOnRecord(bare, [{ attempt: 2 }]);
  const cutShort = messageOnRecord(bare, [{ attempt: 2, response_body: 'thanks' }]);
  expect(erasureOf({ messages: [done], resources: [resource(1, '')], held }, NOW)).toEqual({
    messages: [],
    resources: [],
    held,
    waiting: [],
    fresh: [],
    done: [done],
  });
  expect(erasureOf({ messages: [cutShort], resources: [], held }, NOW).messages).toEqual([cutShort]);
});
