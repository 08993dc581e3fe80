import type { SQSBatchResponse } from 'aws-lambda';
import { chunks } from '../../../functions/adapters/dynamodb/chunks.ts';
import type { Signal } from '../../../functions/core/signal/signal.ts';
import type { WakePorts } from '../../../functions/pipeline/wake/ports.ts';
import { readTimers, wake } from '../../../functions/pipeline/wake/wake.ts';
import type { Received } from '../aws/queues/queue-record.ts';
import { armer, sendGapSignals, sendSignals } from '../people/sending.ts';
import { answered, reporter, type Surface, sqsRecordOf } from '../surface.ts';
import type { Invocation } from './invocation.ts';

/** SQS takes at most this many records in a call. */
const MAX_ENTRIES = 10;

/** The real `wake`, as its handler calls it. */
export function wakeWorker(
  records: readonly Received[],
  invocation: Invocation,
  surface: Surface,
): Promise<SQSBatchResponse> {
  return answered(
    records,
    'wake',
    surface.timers,
    invocation,
    async (some, { killer }) => {
      const { fired, unreadable } = readTimers(some.map(sqsRecordOf), killer);
      if (unreadable.length > 0 && killer === undefined) {
        throw new Error(`wake got a record that it cannot read: ${unreadable[0]?.explanation}`);
      }
      return wake(fired, wakePorts(invocation, surface), surface.policy);
    },
    surface,
  );
}

function wakePorts(invocation: Invocation, surface: Surface): WakePorts {
  const { subscriptions, keys, events, deliveries, timers, history, recoveries, rollCall, listener } =
    surface;
  return {
    subscription: ({ subscription_id }) =>
      invocation.callTable('subscription', () => subscriptions.read(subscription_id)),
    backlog: (subscriptionId, max, from) =>
      invocation.callTable('backlog', () => keys.backlog(subscriptionId, max, from)),
    newestOfBacklog: (subscriptionId, max) =>
      invocation.callTable('backlog', () => keys.newestOfBacklog(subscriptionId, max)),
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
    // No subscription expires here.
    revise: async () => undefined,
    keepChange: async () => {},
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
    contents: (messages) => invocation.callTable('contents', () => history.contents(messages)),
    pastMessages: (recovery) => invocation.callTable('pastMessages', () => history.pastMessages(recovery)),
    replaceEndpointHealth: ({ subscription_id }, before, after) =>
      invocation.callTable('replaceEndpointHealth', () => {
        const answer = subscriptions.replaceEndpointHealth(invocation.name, subscription_id, before, after);
        invocation.tell(
          () =>
            `fires timer of ${subscription_id} (${after.circuit.generation}): ${after.circuit.state}, ${answer === 'written'}`,
        );
        return answer === 'written';
      }),
    moveCheck: ({ ordering_key, check_at }, checkAt, backloggedAt) =>
      invocation.callTable('moveCheck', () => keys.moveCheck(ordering_key, check_at, checkAt, backloggedAt)),
    async signal(signals) {
      const refused: Signal[] = [];
      for (const some of chunks(signals, MAX_ENTRIES)) {
        const send = () => sendSignals(some, deliveries, invocation);
        refused.push(...(await invocation.call('signal', send, { rejects: true, size: some.length })));
      }
      return refused;
    },
    async signalGaps(signals) {
      const send = () => sendGapSignals(signals, events, invocation);
      return invocation.call('signal', send, { rejects: true, size: signals.length });
    },
    arm: armer(invocation, timers),
    observer: {
      timerFired() {},
      recovered() {},
      stale: (timer) => invocation.tell(() => `ignores a ${timer.kind} of ${timer.subscription_id}`),
      internalError: reporter(invocation, listener),
    },
    now: invocation.workersTime,
    draw: () => invocation.around.dice.draw(),
    after: invocation.after,
  };
}
