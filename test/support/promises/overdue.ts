import { randomUUID } from 'node:crypto';
import { endpointHealthOf } from '../../../functions/core/circuit/endpoint-health.ts';
import type { BlockedKey } from '../../../functions/core/ordering/blocked-ordering-key.ts';
import { type Overdue, subjectOf } from '../../../functions/core/ordering/overdue.ts';
import { newSequence } from '../../../functions/core/sequence/payment-sequence.ts';
import { instant } from '../../../functions/core/text/instant.ts';
import { subscription, TEN_O_CLOCK_MS } from '../builders.ts';
import { paymentToTest } from './payment-to-test.ts';
import { someRecovery } from './recoveries.ts';
import type { Tables } from './tables.ts';

const at = (ms: number) => instant(TEN_O_CLOCK_MS + ms);
const NEVER = '9999';

/** Each kind of thing that sweep checks, and who may move its check. */
export function overduePromises(open: () => Tables): void {
  async function block(tables: Tables, next: BlockedKey) {
    const { queued } = paymentToTest();
    const empty = { removed: [], outcomes: [], known: undefined };
    const orderingKey = next.ordering_key;
    const queuedMessages = [{ ...queued(1), ordering_key: orderingKey }];
    await tables.commit({ token: randomUUID(), orderingKey, next, queuedMessages, ...empty });
  }

  /** Makes one, and returns the id by which it is found. */
  const MAKE: Record<Overdue['kind'], (tables: Tables) => Promise<string>> = {
    async key(tables) {
      const { name, key } = paymentToTest();
      await block(tables, key.waiting);
      return name.payment_id;
    },
    async aged_key(tables) {
      const { name, key } = paymentToTest();
      await block(tables, key.inBacklog);
      return name.payment_id;
    },
    async circuit(tables) {
      const made = subscription({ subscription_id: `sub_${randomUUID()}` });
      const { health, replace } = await tables.circuits(made);
      const before = await health();
      const { circuit } = endpointHealthOf(made);
      await replace(before!, {
        ...before!,
        circuit: { ...circuit, revision: 1, generation: 1, timer_at: at(0) },
      });
      return made.subscription_id;
    },
    async recovery(tables) {
      const recovery = someRecovery();
      await tables.recoveries.start(recovery);
      return recovery.subscription_id;
    },
    async gap(tables) {
      const payment = newSequence({ service_id: 'bakery', payment_id: `pay-${randomUUID()}` }, 'shard-01');
      await tables.sequences.advance(undefined, payment, { due_at: at(0), check_at: at(1_000) });
      return payment.payment_id;
    },
  };

  async function found(tables: Tables, id: string, until = NEVER): Promise<Overdue[]> {
    const all = await tables.overdue(until);
    return all.filter((one) => Object.values(subjectOf(one)).includes(id));
  }

  describe.each(Object.keys(MAKE) as Overdue['kind'][])('a %s', (kind) => {
    test('is found once its check has passed, and not before', async () => {
      const tables = open();
      const id = await MAKE[kind](tables);
      const [overdue, ...others] = await found(tables, id);
      expect({ kind: overdue?.kind, others }).toEqual({ kind, others: [] });
      const { checkAt } = overdue!;
      expect(await found(tables, id, checkAt)).toHaveLength(1);
      expect(await found(tables, id, instant(Date.parse(checkAt) - 1))).toEqual([]);
    });

    test('has its check moved by one of two workers that read it', async () => {
      const tables = open();
      const id = await MAKE[kind](tables);
      const [overdue] = await found(tables, id);
      const [to, other] = [at(600_000_000), at(700_000_000)];
      expect(await tables.moveOverdue(overdue!, to)).toBe(true);
      expect(await tables.moveOverdue(overdue!, other)).toBe(false);
      expect(await found(tables, id)).toMatchObject([{ checkAt: to }]);
    });

    test('has its check moved, too, when the same move is repeated: its answer may have been lost', async () => {
      const tables = open();
      const [overdue] = await found(tables, await MAKE[kind](tables));
      const to = at(600_000_000);
      expect(await tables.moveOverdue(overdue!, to)).toBe(true);
      expect(await tables.moveOverdue(overdue!, to)).toBe(true);
    });
  });
}
