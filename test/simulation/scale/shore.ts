import { chunks } from '../../../functions/adapters/dynamodb/chunks.ts';
import type { DeliveryPolicy } from '../../../functions/core/attempt/delivery-policy.ts';
import { orderingKey } from '../../../functions/core/message/message.ts';
import type { Signal, Timer } from '../../../functions/core/ordering/signal.ts';
import type { RollCall } from '../aws/period-count.ts';
import type { RecoveryTable } from '../aws/recovery-table.ts';
import type { Calls } from './calls.ts';
import type { DelayedQueue } from './delayed-queue.ts';
import type { Endpoints } from './endpoints.ts';
import type { GroupQueue } from './group-queue.ts';
import type { Observations } from './observations.ts';
import type { PastMessages } from './past-messages.ts';

const LONGEST_DELAY_SECONDS = 900;
const MAX_ENTRIES = 10;

/** All that the workers reach through their ports. */
export interface Shore {
  readonly calls: Calls;
  readonly deliveries: GroupQueue;
  readonly timers: DelayedQueue;
  readonly endpoints: Endpoints;
  readonly observations: Observations;
  readonly rollCall: RollCall;
  readonly recoveries: RecoveryTable;
  readonly pastMessages: PastMessages;
  readonly policy: DeliveryPolicy;
}

/** Sends hints ten at a time, as the adapter does; all of them are taken. */
export async function sendSignals(signals: readonly Signal[], { calls, deliveries }: Shore): Promise<void> {
  for (const some of chunks(signals, MAX_ENTRIES)) {
    await calls.queue('SendMessageBatch', true, 0, () => {
      for (const one of some) {
        deliveries.send(orderingKey(one), JSON.stringify(one));
      }
    });
  }
}

/** Sends timers ten at a time, as the adapter words their delays. */
export async function sendTimers(
  armings: readonly { readonly timer: Timer; readonly dueAtMs: number }[],
  { calls, timers }: Shore,
): Promise<void> {
  const nowMs = calls.clock.now();
  for (const some of chunks(armings, MAX_ENTRIES)) {
    await calls.queue('SendMessageBatch', false, 0, () => {
      for (const { timer, dueAtMs } of some) {
        const seconds = Math.ceil((dueAtMs - nowMs) / 1_000);
        timers.send(JSON.stringify(timer), Math.min(Math.max(seconds, 0), LONGEST_DELAY_SECONDS));
      }
    });
  }
}
