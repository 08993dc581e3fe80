import { randomUUID } from 'node:crypto';
import { endpointHealthOf } from '../../../functions/core/circuit/endpoint-health.ts';
import type { BlockedKey } from '../../../functions/core/ordering/blocked-ordering-key.ts';
import { newSequence } from '../../../functions/core/sequence/payment-sequence.ts';
import { gapSignal } from '../../../functions/core/signal/gap-signal.ts';
import type { Overdue } from '../../../functions/core/signal/overdue.ts';
import { instant } from '../../../functions/core/text/instant.ts';
import { subscription, TEN_O_CLOCK_MS } from '../builders.ts';
import { timerName } from '../timer-name.ts';
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

  /** Makes one, and answers the id by which it is found, and what is sent for it. */
  const MAKE = {
    async 'waiting ordering key'(tables: Tables) {
      const { name, key } = paymentToTest();
      await block(tables, key.waiting);
      return { id: name.payment_id, timer: `resume ${name.payment_id}` };
    },
    async 'backlogged ordering key'(tables: Tables) {
      const { name, key } = paymentToTest();
      await block(tables, key.inBacklog);
      return { id: name.payment_id, timer: `resume ${name.payment_id}` };
    },
    async circuit(tables: Tables) {
      const made = subscription({ subscription_id: `sub_${randomUUID()}` });
      const { health, replace } = await tables.circuits(made);
      const before = await health();
      const { circuit } = endpointHealthOf(made);
      await replace(before!, {
        ...before!,
        circuit: { ...circuit, revision: 1, generation: 1, timer_at: at(0) },
      });
      return { id: made.subscription_id, timer: 'circuit timer 1' };
    },
    async recovery(tables: Tables) {
      const recovery = someRecovery();
      await tables.recoveries.start(recovery);
      return { id: recovery.subscription_id, timer: `step ${recovery.step} of ${recovery.recovery_id}` };
    },
    async gap(tables: Tables) {
      const payment = newSequence({ service_id: 'bakery', payment_id: `pay-${randomUUID()}` }, 'shard-01');
      const gap = { timer: gapSignal(payment), due_at: at(0), check_at: at(1_000) };
      await tables.sequences.advance(undefined, payment, gap);
      return { id: payment.payment_id, timer: `gap ${payment.payment_id}` };
    },
  };

  async function found(tables: Tables, id: string, until = NEVER): Promise<Overdue[]> {
    const all = await tables.overdue(until);
    return all.filter((one) => Object.values(one.timer).includes(id));
  }

  describe.each(Object.keys(MAKE) as (keyof typeof MAKE)[])('a %s', (kind) => {
    test('is found once its check has passed, and not before', async () => {
      const tables = open();
      const { id, timer } = await MAKE[kind](tables);
      const all = await found(tables, id);
      expect(all.map((one) => timerName(one.timer))).toEqual([timer]);
      const { checkAt } = all[0]!;
      expect(await found(tables, id, checkAt)).toHaveLength(1);
      expect(await found(tables, id, instant(Date.parse(checkAt) - 1))).toEqual([]);
    });

    test('has its check moved by one of two workers that read it', async () => {
      const tables = open();
      const { id } = await MAKE[kind](tables);
      const [overdue] = await found(tables, id);
      const [to, other] = [at(600_000_000), at(700_000_000)];
      expect(await tables.moveOverdue(overdue!, to)).toBe(true);
      expect(await tables.moveOverdue(overdue!, other)).toBe(false);
      expect(await found(tables, id)).toMatchObject([{ checkAt: to }]);
    });

    test('has its check moved, too, when the same move is repeated: its answer may have been lost', async () => {
      const tables = open();
      const [overdue] = await found(tables, (await MAKE[kind](tables)).id);
      const to = at(600_000_000);
      expect(await tables.moveOverdue(overdue!, to)).toBe(true);
      expect(await tables.moveOverdue(overdue!, to)).toBe(true);
    });
  });
}
