import type { SQSBatchResponse, SQSRecord } from 'aws-lambda';
import { deliver } from '../../functions/deliver/deliver.ts';
import type { DeliverPorts } from '../../functions/deliver/ports.ts';
import { readDeliveries } from '../../functions/deliver/read-deliveries.ts';
import type { Invocation } from './invocation.ts';
import type { Received } from './queue-record.ts';
import { responseOf, type Surface } from './surface.ts';

/** `returnSoon` has records come again after so long. */
const RETURNED_FOR_MS = 5_000;

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
  const { clock, workersTime } = invocation.around;
  /** For what SQS makes good by itself: nobody hears when it fails. */
  const quietly = (port: string, receipts: readonly string[], act: (receipt: string) => void) =>
    receipts.length === 0
      ? Promise.resolve()
      : invocation.call(port, () => (invocation.meets('lostRelease') ? undefined : receipts.forEach(act)), {
          rejects: false,
        });
  return {
    lookUp: ({ subscriptions: wanted, messageIds, resourceKeys }) =>
      invocation.callTable('lookUp', () => ({
        ...subscriptions.find(wanted),
        records: history.recordsOf(messageIds),
        resources: history.resourcesOf(resourceKeys),
        faults: new Map(),
      })),
    post: (request) => receivers.post(request, invocation),
    save: (outcomes) =>
      outcomes.length === 0
        ? Promise.resolve()
        : invocation.callTable('save', () => history.save(outcomes, () => invocation.meets('partial'))),
    acknowledge: (done) => quietly('acknowledge', receiptsOf(done), (receipt) => queue.delete(receipt)),
    returnSoon: (back) =>
      quietly('returnSoon', receiptsOf(back), (receipt) => queue.changeVisibility(receipt, RETURNED_FOR_MS)),
    observe: () => {},
    observeFault: (error) => invocation.tell(() => `meets ${error}`),
    observeRepeat: ({ event_id }) => invocation.tell(() => `recognises ${event_id}`),
    now: workersTime,
    after: async (ms) => {
      await clock.after(ms);
      await invocation.hear(() => undefined);
    },
  };
}

function receiptsOf(deliveries: readonly { readonly receipt: string }[]): string[] {
  return deliveries.map(({ receipt }) => receipt);
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
