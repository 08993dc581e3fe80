import { SQSClient } from '@aws-sdk/client-sqs';
import type { SQSEvent } from 'aws-lambda';
import { AWS_CLIENT_CONFIG } from '../../adapters/aws-client-config.ts';
import { sendBatch } from '../../adapters/sqs/queue-batch.ts';
import { readEnv } from '../../runtime/read-env.ts';
import { RELAY_ENV } from './env.ts';
import { relay } from './relay.ts';

const env = readEnv(RELAY_ENV, process.env);
const sqs = new SQSClient(AWS_CLIENT_CONFIG);

export const handler = async ({ Records }: SQSEvent): Promise<void> =>
  relay(
    Records.map(({ body, attributes }) => ({ body, admittedAtMs: Number(attributes.SentTimestamp) })),
    async (events) => {
      const left = await sendBatch(
        sqs,
        env.RELAYED_QUEUE_URL,
        events.map((event) => {
          const id = `${event.run}-${event.number}`;
          return { body: JSON.stringify(event), group: id, deduplicationId: id };
        }),
      );
      if (left.length > 0)
        throw new Error(`${left.length} of ${events.length} empty events were not accepted`);
    },
  );
