import { DELIVERY_POLICY } from '../../functions/core/attempt/delivery-policy.ts';
import type { Subscription } from '../../functions/core/subscription/subscription.ts';
import type { Meter } from '../../test/simulation/aws/metering/meter.ts';
import { TABLE_PLANS } from '../../test/simulation/aws/metering/table-plans.ts';
import { TableUnits } from '../../test/simulation/aws/metering/table-units.ts';
import { HistoryTable } from '../../test/simulation/aws/tables/history-table.ts';
import { OrderingKeysTable } from '../../test/simulation/aws/tables/ordering-keys-table.ts';
import { RecoveryTable } from '../../test/simulation/aws/tables/recovery-table.ts';
import { RollCall } from '../../test/simulation/aws/tables/roll-call.ts';
import { SequenceTable } from '../../test/simulation/aws/tables/sequence-table.ts';
import { SubscriptionTable } from '../../test/simulation/aws/tables/subscription-table.ts';
import type { VirtualClock } from '../../test/simulation/clock/virtual-clock.ts';

/** What a change takes to an index, in ms: "typically a fraction of a second". */
const LAG_MS = 20;

/** As the adapters read them. */
const MAX_QUEUED_MESSAGES = 25;
const MAX_PAST_MESSAGES = 150;

/** The tables of a stage, with the numbers of the adapters and every unit counted. */
export function meteredTables(subscriptions: readonly Subscription[], clock: VirtualClock, meter: Meter) {
  const index = { now: () => clock.now(), lagMs: () => LAG_MS, graceMs: DELIVERY_POLICY.graceMs };
  const history = new HistoryTable({
    ...index,
    pageSize: MAX_PAST_MESSAGES,
    remembersWrites: false,
    units: new TableUnits(TABLE_PLANS.history, meter),
  });
  return {
    history,
    keys: new OrderingKeysTable({
      ...index,
      history,
      pageSize: MAX_QUEUED_MESSAGES,
      units: new TableUnits(TABLE_PLANS.keys, meter),
    }),
    subscriptions: new SubscriptionTable(
      subscriptions.map((one) => ({ subscription: one })),
      {
        ...index,
        units: {
          subscriptions: new TableUnits(TABLE_PLANS.subscriptions, meter),
          secrets: new TableUnits(TABLE_PLANS.secrets, meter),
        },
      },
    ),
    recoveries: new RecoveryTable(index),
    sequences: new SequenceTable(index),
    rollCall: new RollCall(clock),
  };
}
