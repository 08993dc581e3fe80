import type { SQSBatchResponse } from 'aws-lambda';
import { MAX_TRIES } from '../../../functions/adapters/dynamodb/subscriptions/endpoint-health-writer.ts';
import { endpointHealthOf } from '../../../functions/core/circuit/endpoint-health.ts';
import { deliver, readDeliveries } from '../../../functions/pipeline/deliver/deliver.ts';
import type { DeliverPorts, Incoming } from '../../../functions/pipeline/deliver/ports.ts';
import type { Received } from '../aws/queues/queue-record.ts';
import { sendSignals, sendTimers } from '../people/sending.ts';
import { answered, type Surface, sqsRecordOf } from '../surface.ts';
import type { Invocation } from './invocation.ts';
import { deadLettered, lookedUp, saved } from './table-ports.ts';

/** The real `deliver`, as its handler calls it. */
export function deliverWorker(
  records: readonly Received[],
  invocation: Invocation,
  surface: Surface,
): Promise<SQSBatchResponse> {
  const ports = deliverPorts(invocation, surface);
  const startedAtMs = ports.now();
  return answered(
    records,
    'deliver',
    surface.deliveries,
    invocation,
    async (some, { killer, giveBack }) => {
      const { incoming, unreadable, deferred } = readDeliveries(some.map(sqsRecordOf), killer);
      if (deferred.length > 0 || unreadable.some(({ reason }) => reason !== 'kills_worker')) {
        throw new Error('deliver got a record that it cannot read');
      }
      const batchPorts = {
        ...ports,
        giveBack: (failed: readonly Incoming[]) => giveBack(failed.map(({ recordId }) => recordId)),
      };
      const [again, left] = await Promise.all([
        deliver(incoming, batchPorts, surface.policy, startedAtMs),
        unreadable.length === 0 ? [] : deadLettered(unreadable, invocation, surface),
      ]);
      return [...again, ...left];
    },
    surface,
  );
}

function deliverPorts(invocation: Invocation, surface: Surface): Omit<DeliverPorts, 'giveBack'> {
  const { deliveries: queue, timers, keys, history, receivers, listener } = surface;
  const { dice } = invocation.around;
  /** For calls whose loss is made up for later: a failure is silent. */
  const quietly = (port: string, count: number, act: () => unknown) =>
    count === 0
      ? Promise.resolve()
      : invocation.call(port, () => void (invocation.meets('lostRelease', port) || act()), {
          rejects: false,
          size: count,
        });
  const report = (trouble: string) => {
    listener?.fault(trouble);
    invocation.tell(() => trouble);
  };
  return {
    lookUp: (wanted) => lookedUp(wanted, invocation, surface),
    waitingIn: (orderingKey) =>
      invocation.callTable('waitingIn', () => keys.waitingIn(orderingKey), orderingKey),
    post: (request) => receivers.post(request, invocation),
    save: (outcomes) => saved(outcomes, invocation, history),
    deadLetter: (deadRecords) =>
      deadLettered(
        deadRecords.map(({ record }) => record),
        invocation,
        surface,
      ),
    endLease: (lease, result) =>
      invocation.callTable('endLease', () => keys.endLease(lease, result), lease.ordering_key),
    commit: (commit) => {
      const write = () => {
        const answer = keys.commit(commit);
        invocation.tell(() => `has ${commit.orderingKey} ${answer}: ${commit.next?.state ?? 'free'}`);
        return answer;
      };
      const actions = 1 + commit.queuedMessages.length + commit.removed.length + commit.outcomes.length;
      return invocation.callTable('commit', write, commit.orderingKey, actions);
    },
    changeEndpointHealth: endpointHealthChanger(invocation, surface),
    countAnswers: (subscriptionId, answers) =>
      quietly('countAnswers', 1, () => surface.rollCall.countAnswers(subscriptionId, answers)),
    saySlow: (own) =>
      invocation
        .callTable('saySlow', () => surface.rollCall.saySlow(own), undefined, own.size)
        .catch(() => undefined),
    arm: (armings) => quietly('arm', armings.length, () => sendTimers(armings, timers, invocation)),
    signal: (signals) => quietly('signal', signals.length, () => sendSignals(signals, queue, invocation)),
    acknowledge: (done) =>
      quietly('acknowledge', done.length, () => done.map(({ receipt }) => queue.delete(receipt))),
    observer: {
      tried: (tried) => listener?.tried(tried),
      concluded(record) {
        listener?.concluded(record);
        invocation.tell(() => `has ${record.event_id} ${record.state}, ${record.state_reason}`);
      },
      internalError: (error) => report(`meets ${error}`),
      deadLettered: ({ record, reason }) => report(`dead-letters ${record.recordId}: ${reason}`),
      orderingKeyStuck: ({ ordering_key }) => report(`has ${ordering_key} wait for an operator`),
      repeat: ({ event_id }) => invocation.tell(() => `recognises ${event_id}`),
      queuedMessageLost: ({ message_id }) => report(`finds no message ${message_id} that is queued`),
      endpointHealthChanged() {},
    },
    blindMs: () => (invocation.environment ?? invocation).blindMs,
    now: invocation.workersTime,
    draw: () => dice.draw(),
    token: invocation.newId,
    after: invocation.after,
  };
}

/** As the adapter does: retries on the current state a few times, then drops the change. */
function endpointHealthChanger(
  invocation: Invocation,
  { subscriptions }: Surface,
): DeliverPorts['changeEndpointHealth'] {
  return async (subscription, change) => {
    let before = endpointHealthOf(subscription);
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const [known, after] = [before, change(before)];
      if (after === known) {
        return { before, after };
      }
      const { subscription_id } = subscription;
      const replace = () =>
        subscriptions.replaceEndpointHealth(invocation.name, subscription_id, known, after);
      const answer = await invocation
        .callTable('changeEndpointHealth', replace, subscription_id)
        .catch(() => 'gone' as const);
      if (answer === 'gone') {
        return undefined;
      }
      if (answer === 'written') {
        invocation.tell(() => `has ${subscription_id} ${after.state}, ${after.circuit.state}`);
        return { before, after };
      }
      before = answer;
    }
    return undefined;
  };
}
