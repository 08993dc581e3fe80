import { type DynamoDBClient, PutItemCommand, type QueryCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { NOTHING } from '../../../../../cli/operator/restore/restore-report.ts';
import { copySequences } from '../../../../../cli/operator/restore/restore-sequences.ts';
import type { Item } from '../../../../../functions/adapters/dynamodb/marshalled.ts';
import { heldItem } from '../../../../../functions/adapters/dynamodb/sequences/held-event-item.ts';
import { sequenceAddress } from '../../../../../functions/adapters/dynamodb/sequences/sequence-table.ts';
import { newSequence } from '../../../../../functions/core/sequence/payment-sequence.ts';
import { gapSignal } from '../../../../../functions/core/signal/gap-signal.ts';
import { conditionFailed } from '../../../adapters/dynamodb/cancelled.ts';
import { earlyEvent, heldEvent, PAYMENT } from '../held-event.ts';

const NOW = Date.parse('2026-11-14T12:00:00.000Z');
const WAITING = {
  ...newSequence(PAYMENT, 'shard-01'),
  ...sequenceAddress(PAYMENT),
  revision: 4,
  next: 3,
  early: [earlyEvent(5)],
  due_shard: '7',
  due_at: '2026-11-14T10:15:00.000Z',
  check_at: '2026-11-14T10:20:00.000Z',
  timer: gapSignal(newSequence(PAYMENT, 'shard-01')),
};
const HELD = heldItem(heldEvent(5));

/** Copies from a restored table; what is there then, by sort key, and what is counted. */
async function copied(then: readonly Item[], now: readonly Item[] = [], goes = true, nowMs = NOW) {
  const live = new Map(now.map((item) => [item.item, item]));
  const client = {
    async send(command: QueryCommand | PutItemCommand) {
      if (!(command instanceof PutItemCommand)) {
        const found = command.input.TableName === 'copy' ? then : [...live.values()];
        return { Items: found.map((item) => marshall(item, { removeUndefinedValues: true })) };
      }
      const { Item = {}, ConditionExpression: condition, ExpressionAttributeValues = {} } = command.input;
      const item = unmarshall(Item);
      const there = live.get(item.item);
      const isMet =
        condition === 'attribute_not_exists(#key)'
          ? there === undefined
          : there?.revision === unmarshall(ExpressionAttributeValues)[':c0'];
      if (!isMet) {
        throw conditionFailed();
      }
      live.set(item.item, item);
      return {};
    },
  } as unknown as DynamoDBClient;
  const counts = { ...NOTHING };
  const tables = { sequences: 'sequences', from: 'copy' };
  await copySequences(then, counts, { client, tables, goes, nowMs, policy: { sequenceGapMs: 900_000 } });
  return { live, counts };
}

test('a payment comes back with the event that waits, and sweep finds it at once', async () => {
  const { live, counts } = await copied([WAITING, HELD]);
  expect(counts).toMatchObject({ lookedAt: 2, missing: 2 });
  expect(live.get('sequence')).toEqual({ ...WAITING, check_at: '2026-11-14T12:00:00.000Z' });
  expect(live.get(HELD.item)).toEqual(unmarshall(marshall(HELD, { removeUndefinedValues: true })));
});

test('events that wait for an operator come back, too', async () => {
  const { payment } = sequenceAddress(PAYMENT);
  const stuck = { payment, item: 'stuck_payment', stuck: 'yes', since: '2026-11-14T10:00:00.000Z' };
  const event = { payment, item: 'stuck_event#00000000000000000100#record 1', body: '{}' };
  const { live, counts } = await copied([stuck, event]);
  expect(counts).toMatchObject({ missing: 2 });
  expect([...live.values()]).toEqual([stuck, event]);
  expect((await copied([stuck, event], [...live.values()])).counts).toMatchObject({ missing: 0, same: 2 });
});

test('copied once more, they stay as they are', async () => {
  const { live } = await copied([WAITING, HELD]);
  expect((await copied([WAITING, HELD], [...live.values()])).counts).toMatchObject({
    missing: 0,
    older: 0,
    same: 1,
    newer: 1,
  });
});

test('an earlier state is replaced, on condition that it is as it was read', async () => {
  const now = { ...WAITING, revision: 2, early: [] };
  const { live, counts } = await copied([WAITING, HELD], [now]);
  expect(counts).toMatchObject({ older: 1, missing: 1, overtaken: 0 });
  expect(live.get('sequence')).toMatchObject({ revision: 4, early: [earlyEvent(5)] });
});

test('without --yes, all is counted and nothing written', async () => {
  const { live, counts } = await copied([WAITING, HELD], [], false);
  expect(counts).toMatchObject({ missing: 2 });
  expect(live.size).toBe(0);
});

test('what has expired does not come back', async () => {
  const later = NOW + 15 * 86_400_000;
  const { live, counts } = await copied([{ ...WAITING, early: [] }, HELD], [], true, later);
  expect(counts).toMatchObject({ expired: 1, missing: 1 });
  expect([...live.keys()]).toEqual(['sequence']);
  expect(live.get('sequence')).not.toHaveProperty('due_at');
});

test('what cannot be read is told, by its payment and field', async () => {
  await expect(copied([{ ...WAITING, next: 'three' }])).rejects.toThrow(
    'payment shop#pay-1: cannot be read; see next',
  );
});
