import type { SQSBatchResponse } from 'aws-lambda';
import type { WakePorts } from '../../../functions/pipeline/wake/ports.ts';
import { readTimers } from '../../../functions/pipeline/wake/read-timers.ts';
import { wake } from '../../../functions/pipeline/wake/wake.ts';
import type { Received } from '../aws/queue-record.ts';
import { sendSignals, sendTimers } from '../people/sending.ts';
import { answered, type Surface, sqsRecordOf } from '../surface.ts';
import type { Invocation } from './invocation.ts';

/** The real `wake`, as its handler calls it. */
export function wakeWorker(
  records: readonly Received[],
  invocation: Invocation,
  surface: Surface,
): Promise<SQSBatchResponse> {
  const { fired, unreadable } = readTimers(records.map(sqsRecordOf));
  if (unreadable.length > 0) {
    throw new Error(`wake was sent what it cannot read: ${unreadable[0]?.explanation}`);
  }
  return answered(records, surface.timers, invocation, () =>
    wake(fired, wakePorts(invocation, surface), surface.policy),
  );
}

function wakePorts(invocation: Invocation, surface: Surface): WakePorts {
  const { subscriptions, keys, deliveries, timers, history, recoveries, rollCall } = surface;
  return {
    subscription: ({ subscription_id }) =>
      invocation.callTable('subscription', () => subscriptions.one(subscription_id)),
    backlog: (subscriptionId, max, from) =>
      invocation.callTable('line', () => keys.backlog(subscriptionId, max, from)),
    waiting: (subscriptionId, max) =>
      invocation.callTable('waiting', () => history.waiting(subscriptionId, max)),
    drains: () =>
      invocation.callTable('drains', () => {
        rollCall.sayDrain();
        return rollCall.drains();
      }),
    answers: (subscriptionId) => invocation.callTable('answers', () => rollCall.answers(subscriptionId)),
    slowAttempts: (subscriptionId) =>
      invocation.callTable('slowAttempts', () => rollCall.slowAttempts(subscriptionId)),
    recoveries: {
      find: (name) => invocation.callTable('recovery', () => recoveries.find(name)),
      advance: (before, after) =>
        invocation.callTable('advance', () => {
          const advanced = recoveries.advance(before, after);
          invocation.tell(
            () => `recovers ${after.subscription_id} (${after.step}): ${after.state}, ${advanced}`,
          );
          return advanced;
        }),
    },
    recovering: (serviceId) => invocation.callTable('recovering', () => rollCall.recovering(serviceId)),
    pastMessages: (recovery) => invocation.callTable('pastMessages', () => history.pastMessages(recovery)),
    replaceEndpointHealth: ({ subscription_id }, before, after) =>
      invocation.callTable('replaceStanding', () => {
        const answer = subscriptions.replaceEndpointHealth(invocation.name, subscription_id, before, after);
        invocation.tell(
          () =>
            `ticks ${subscription_id} (${after.circuit.tick}): ${after.circuit.state}, ${answer === 'written'}`,
        );
        return answer === 'written';
      }),
    moveCheck: ({ ordering_key, check_at }, checkAt) =>
      invocation.callTable('moveCheck', () => keys.moveCheck(ordering_key, check_at, checkAt)),
    signal: (signals) =>
      invocation.call('hint', () => sendSignals(signals, deliveries, invocation), { rejects: true }),
    arm: (armings) =>
      invocation.call('arm', () => sendTimers(armings, timers, invocation), { rejects: true }),
    observer: {
      timerFired() {},
      recovered() {},
      stale: (timer) => invocation.tell(() => `ignores a ${timer.kind} of ${timer.subscription_id}`),
      internalError: (error) => invocation.tell(() => `meets ${error}`),
    },
    now: invocation.workersTime,
    after: invocation.after,
  };
}
