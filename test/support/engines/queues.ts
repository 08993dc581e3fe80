import { randomUUID } from 'node:crypto';
import {
  CreateQueueCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { deleteBatch, sendBatch } from '../../../functions/adapters/sqs/queue-batch.ts';
import { comeBackQueue } from '../../../functions/adapters/sqs/redelivery-queue.ts';
import { eventually } from '../eventually.ts';
import type { FifoToTest, Got } from '../promises/queues/fifo-queue.ts';
import type { QueuesToTest } from '../promises/queues/sending.ts';

const VISIBILITY_SECONDS = '2';

/** The adapters for queues, on queues of an engine for SQS with our settings. */
export function queuesAt(client: SQSClient) {
  const create = async (name: string, Attributes: Record<string, string>) => {
    const { QueueUrl = '' } = await client.send(new CreateQueueCommand({ QueueName: name, Attributes }));
    return QueueUrl;
  };
  const fifo = {
    ...{ FifoQueue: 'true', DeduplicationScope: 'messageGroup', FifoThroughputLimit: 'perMessageGroupId' },
    VisibilityTimeout: VISIBILITY_SECONDS,
  };

  async function deadLettersAfter(maxReceiveCount: number) {
    const url = await create(`dead-${randomUUID()}.fifo`, fifo);
    const { Attributes } = await client.send(
      new GetQueueAttributesCommand({ QueueUrl: url, AttributeNames: ['QueueArn'] }),
    );
    const policy = { deadLetterTargetArn: Attributes?.QueueArn, maxReceiveCount };
    return { url, attributes: { RedrivePolicy: JSON.stringify(policy) } };
  }

  async function receive(QueueUrl: string, MaxNumberOfMessages: number) {
    const { Messages = [] } = await client.send(
      new ReceiveMessageCommand({
        ...{ QueueUrl, MaxNumberOfMessages, WaitTimeSeconds: 0 },
        ...{ MessageSystemAttributeNames: ['All'], MessageAttributeNames: ['All'] },
      }),
    );
    return Messages;
  }

  async function fifoQueue({ maxReceiveCount }: { readonly maxReceiveCount?: number }): Promise<FifoToTest> {
    const dead = maxReceiveCount === undefined ? undefined : await deadLettersAfter(maxReceiveCount);
    const url = await create(`test-${randomUUID()}.fifo`, { ...fifo, ...dead?.attributes });
    const received = async (max: number) =>
      (await receive(url, max)).map(
        ({ Body = '', ReceiptHandle = '', Attributes = {} }): Got => ({
          ...{ body: Body, receipt: ReceiptHandle, group: Attributes.MessageGroupId ?? '' },
          receiveCount: Number(Attributes.ApproximateReceiveCount),
        }),
      );
    const change = comeBackQueue(client, url, (error) => {
      throw error;
    });
    const some = <Value>(what: string, get: () => Promise<readonly Value[]>) =>
      eventually(
        what,
        async () => {
          const all = await get();
          return all.length > 0 && all;
        },
        { deadlineMs: 20_000 },
      );
    return {
      send: (records) =>
        records.length === 0
          ? Promise.resolve([])
          : sendBatch(
              client,
              url,
              records.map((one) => ({ ...one, deduplicationId: one.deduplicationId ?? randomUUID() })),
            ),
      receive: received,
      delete: (receipts) => deleteBatch(client, url, receipts),
      comeBack: async (delays) => void (await change(delays)),
      next: (max) => some('a record', () => received(max)),
      nextDead: () =>
        some('a dead letter', async () => (await receive(dead?.url ?? '', 10)).map(({ Body = '' }) => Body)),
    };
  }

  const sending: QueuesToTest = {
    client,
    newQueue: (kind) =>
      kind === 'fifo' ? create(`test-${randomUUID()}.fifo`, fifo) : create(`test-${randomUUID()}`, {}),
    received: async (queueUrl, max) =>
      (await receive(queueUrl, max)).map(({ Body = '', MessageAttributes = {} }) => ({
        body: Body,
        attributes: Object.fromEntries(
          Object.entries(MessageAttributes).map(([name, { StringValue = '' }]) => [name, StringValue]),
        ),
      })),
  };
  return { fifoQueue, sending };
}
