import type { SQSBatchResponse, SQSRecord } from 'aws-lambda';
import { orderingKey } from '../../functions/core/message.ts';
import { deliver } from '../../functions/deliver/deliver.ts';
import type { DeliverPorts } from '../../functions/deliver/ports.ts';
import { readDeliveries } from '../../functions/deliver/read-deliveries.ts';
import { type MatchPorts, match } from '../../functions/match/match.ts';
import type { FifoQueue, Received } from './fifo-queue.ts';
import type { HistoryTable } from './history-table.ts';
import type { Invocation } from './invocation.ts';
import type { Receivers } from './receivers.ts';
import type { SubscriptionTable } from './subscription-table.ts';

/** `returnSoon` has records come again after so long. */
const RETURNED_FOR_MS = 5_000;

/** All that the workers reach through their ports. */
export interface Surface {
  readonly deliveries: FifoQueue;
  readonly eventsDeadLetters: FifoQueue;
  readonly subscriptions: SubscriptionTable;
  readonly history: HistoryTable;
  readonly receivers: Receivers;
}

/** The real `match`, as its handler calls it. */
export async function matchWorker(
  records: readonly Received[],
  invocation: Invocation,
  surface: Surface,
): Promise<SQSBatchResponse> {
  const admissions = records.map(({ id, group, body, sentAtMs, sequenceNumber, receiveCount }) => ({
    recordId: id,
    group,
    body,
    admittedAtMs: sentAtMs,
    orderNumber: sequenceNumber,
    receiveCount,
  }));
  return responseOf(await match(admissions, matchPorts(invocation, surface)));
}

function matchPorts(invocation: Invocation, surface: Surface): MatchPorts {
  const { deliveries, eventsDeadLetters, subscriptions, history } = surface;
  return {
    routesOf: (ids) => invocation.call('routesOf', () => subscriptions.routesOf(ids), { rejects: true }),
    keepResource: (key, resource) =>
      invocation.call('keepResource', () => history.keepResource(key, resource), { rejects: true }),
    async send(messages) {
      const entries = messages.map((message) => ({
        message,
        body: JSON.stringify(message),
        group: orderingKey(message),
        deduplicationId: message.message_id,
      }));
      const send = () => deliveries.sendBatch(entries, () => invocation.meets('partial'));
      const refused = await invocation.call('send', send, { rejects: true });
      return refused.map(({ message }) => message);
    },
    async bury(burials) {
      const entries = burials.map((burial) => ({
        burial,
        body: burial.admission.body,
        group: burial.admission.group,
        deduplicationId: burial.admission.recordId,
      }));
      const send = () => eventsDeadLetters.sendBatch(entries, () => invocation.meets('partial'));
      const refused = await invocation.call('bury', send, { rejects: false });
      return refused.map(({ burial }) => burial);
    },
    observe: () => {},
  };
}

/** The real `deliver`, as its handler calls it. */
export async function deliverWorker(
  records: readonly Received[],
  invocation: Invocation,
  surface: Surface,
): Promise<SQSBatchResponse> {
  const { deliveries, unreadable } = readDeliveries(records.map(sqsRecordOf));
  if (unreadable.length > 0) {
    throw new Error(`match sent what deliver cannot read: ${unreadable[0]?.explanation}`);
  }
  return responseOf(await deliver(deliveries, deliverPorts(invocation, surface)));
}

function deliverPorts(invocation: Invocation, surface: Surface): DeliverPorts {
  const { deliveries: queue, subscriptions, history, receivers } = surface;
  const { clock } = invocation.around;
  /** For what SQS makes good by itself: nobody hears when it fails. */
  const quietly = (port: string, receipts: readonly string[], act: (receipt: string) => void) =>
    receipts.length === 0
      ? Promise.resolve()
      : invocation.call(port, () => (invocation.meets('lostRelease') ? undefined : receipts.forEach(act)), {
          rejects: false,
        });
  return {
    lookUp: ({ subscriptions: wanted, messageIds, resourceKeys }) =>
      invocation.call(
        'lookUp',
        () => ({
          ...subscriptions.find(wanted),
          records: history.recordsOf(messageIds),
          resources: history.resourcesOf(resourceKeys),
          faults: new Map(),
        }),
        { rejects: true },
      ),
    post: (request) => receivers.post(request, invocation),
    save: (outcomes) =>
      outcomes.length === 0
        ? Promise.resolve()
        : invocation.call('save', () => history.save(outcomes, () => invocation.meets('partial')), {
            rejects: true,
          }),
    acknowledge: (done) => quietly('acknowledge', receiptsOf(done), (receipt) => queue.delete(receipt)),
    returnSoon: (back) =>
      quietly('returnSoon', receiptsOf(back), (receipt) => queue.changeVisibility(receipt, RETURNED_FOR_MS)),
    observe: () => {},
    observeFault: (error) => invocation.tell(() => `meets ${error}`),
    observeRepeat: ({ event_id }) => invocation.tell(() => `recognises ${event_id}`),
    now: () => clock.now(),
    after: async (ms) => {
      await clock.after(ms);
      await invocation.hear(() => undefined);
    },
  };
}

function receiptsOf(deliveries: readonly { readonly receipt: string }[]): string[] {
  return deliveries.map(({ receipt }) => receipt);
}

function responseOf(again: readonly string[]): SQSBatchResponse {
  return { batchItemFailures: again.map((itemIdentifier) => ({ itemIdentifier })) };
}

/** Only what the handlers read of it. */
function sqsRecordOf({ id, receipt, body, group, receiveCount }: Received): SQSRecord {
  return {
    messageId: id,
    receiptHandle: receipt,
    body,
    attributes: { MessageGroupId: group, ApproximateReceiveCount: String(receiveCount) },
  } as SQSRecord;
}
