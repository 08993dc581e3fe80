import { type DynamoDBClient, PutItemCommand, type QueryCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { NOTHING } from '../../../../../cli/operator/restore/restore-report.ts';
import { copySequences } from '../../../../../cli/operator/restore/restore-sequences.ts';
import { restoredSequence } from '../../../../../cli/operator/restore/restored-sequence.ts';
import type { Item } from '../../../../../functions/adapters/dynamodb/marshalled.ts';
import { heldItem } from '../../../../../functions/adapters/dynamodb/sequences/held-event-item.ts';
import { sequenceAddress } from '../../../../../functions/adapters/dynamodb/sequences/sequence-table.ts';
import {
  newSequence,
  type PaymentSequence,
} from '../../../../../functions/core/sequence/payment-sequence.ts';
import { gapSignal } from '../../../../../functions/core/signal/gap-signal.ts';
import { conditionFailed } from '../../../adapters/dynamodb/pages.ts';
import { earlyEvent, heldEvent, PAYMENT } from '../held-event.ts';

describe('restored sequence', () => {
  const sequence = (over: Partial<PaymentSequence>): PaymentSequence => ({
    ...newSequence(PAYMENT, 'shard-01'),
    ...over,
  });
  const NOTHING = { sequence: undefined, held: [] };

  test('a payment that is missing comes back with the events that waited', () => {
    const then = {
      sequence: sequence({ revision: 4, next: 3, early: [earlyEvent(5)] }),
      held: [heldEvent(5)],
    };
    expect(restoredSequence(then, NOTHING)).toEqual({ ...then, gone: 0, unknown: 0 });
  });

  test('one that has continued since stays as it is, and an event that continued does not come back', () => {
    const then = { sequence: sequence({ revision: 4, early: [earlyEvent(5)] }), held: [heldEvent(5)] };
    const now = { sequence: sequence({ revision: 6, next: 6 }), held: [] };
    expect(restoredSequence(then, now)).toEqual({ sequence: undefined, held: [], gone: 1, unknown: 0 });
  });

  test('an event that still waits, and is missing, comes back alone', () => {
    const same = sequence({ revision: 4, next: 3, early: [earlyEvent(5), earlyEvent(6)] });
    expect(
      restoredSequence(
        { sequence: same, held: [heldEvent(5), heldEvent(6)] },
        { sequence: { ...same, revision: 5 }, held: [heldEvent(6)] },
      ),
    ).toMatchObject({ sequence: undefined, held: [heldEvent(5)] });
  });

  test('what came to a payment after it was lost keeps waiting, and nothing goes before what continued', () => {
    const then = sequence({
      revision: 9,
      next: 8,
      early: [earlyEvent(10)],
      order_number: '17',
      admitted_at_ms: 1,
    });
    const anew = sequence({
      revision: 2,
      early: [earlyEvent(12)],
      order_number: '90.0001',
      admitted_at_ms: 5,
    });
    expect(
      restoredSequence({ sequence: then, held: [heldEvent(10)] }, { sequence: anew, held: [heldEvent(12)] }),
    ).toMatchObject({
      sequence: {
        revision: 9,
        next: 8,
        early: [earlyEvent(10), earlyEvent(12)],
        order_number: '90.0001',
        admitted_at_ms: 5,
      },
      held: [heldEvent(10)],
    });
  });

  test('an event that is held waits again, though nothing says so any more, unless its number has passed', () => {
    const then = { sequence: sequence({ revision: 9, next: 8 }), held: [] };
    expect(
      restoredSequence(then, { sequence: undefined, held: [heldEvent(7), heldEvent(9)] }).sequence?.early,
    ).toEqual([earlyEvent(9)]);
  });

  test('events of which nothing says how far their payment is are told', () => {
    expect(restoredSequence({ sequence: undefined, held: [heldEvent(5)] }, NOTHING)).toMatchObject({
      held: [],
      gone: 0,
      unknown: 1,
    });
  });
});

describe('restore sequences', () => {
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
});
