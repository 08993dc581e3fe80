import { randomBytes } from 'node:crypto';
import { MetricUnit } from '@aws-lambda-powertools/metrics';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SESv2Client } from '@aws-sdk/client-sesv2';
import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { AWS_CLIENT_CONFIG } from '../adapters/aws-client-config.ts';
import { contactedSubscriptions } from '../adapters/dynamodb/notices/contacted-subscriptions.ts';
import { linkKey } from '../adapters/dynamodb/notices/link-key.ts';
import { noticeBookTable } from '../adapters/dynamodb/notices/notice-book-table.ts';
import { httpPost } from '../adapters/http/http-post.ts';
import { networkOf } from '../adapters/http/test-network.ts';
import { mailSender } from '../adapters/ses/mail-sender.ts';
import type { Channel } from '../core/notices/notice.ts';
import { parseCallbackUrlRules } from '../core/subscription/callback-url.ts';
import { readEnv } from '../runtime/read-env.ts';
import { logger } from '../telemetry/logger.ts';
import { METRIC } from '../telemetry/metric-names.ts';
import { metrics, publishMetrics } from '../telemetry/metrics.ts';
import { NOTICES_ENV } from './env.ts';
import { followLink, type LinkRequest } from './link-page.ts';
import { LINK_PATH } from './link-path.ts';
import { lookAtAll, lookAtEach } from './notices.ts';
import type { NoticesPorts } from './ports.ts';
import { readEvents } from './read-events.ts';

const LINK_KEY_BYTES = 32;

const env = readEnv(NOTICES_ENV, process.env);
const dynamodb = new DynamoDBClient(AWS_CLIENT_CONFIG);
const now = Date.now;

/** Addresses are not logged. What a partner's own URL does not take is no alarm. */
const observer: NoticesPorts['observer'] = {
  sent({ subscription_id }, { by, notice }) {
    logger.info('notice.sent', {
      ...{ subscription_id, by },
      notice_id: notice?.notice_id,
      kind: notice?.kind ?? 'confirmation',
    });
  },
  unsent({ subscription_id }, { by, notice, tries }, error) {
    logger.warn('notice.unsent', {
      ...{ subscription_id, by },
      notice_id: notice?.notice_id,
      tries,
      error: error as Error,
    });
    count(METRIC.noticeUnsent, by);
  },
  dropped({ subscription_id }, { by, notice }, why) {
    logger.warn('notice.dropped', { subscription_id, by, notice_id: notice?.notice_id, why });
    count(METRIC.noticeDropped, by);
  },
  internalError(error) {
    logger.error('notice.internal_error', { error: error as Error });
    count(METRIC.noticeInternalError);
  },
};

/** On the emulator the API is at a path of its own, which people can open. */
function apiUrl({ AWS_ENDPOINT_URL }: NodeJS.ProcessEnv): string {
  return AWS_ENDPOINT_URL === undefined
    ? env.API_URL
    : `${AWS_ENDPOINT_URL}/_aws/execute-api/${new URL(env.API_URL).hostname.split('.')[0]}/$default/`;
}

const ports: NoticesPorts = {
  ...noticeBookTable(dynamodb, {
    table: env.SUBSCRIPTIONS_TABLE,
    now,
    onInternalError: observer.internalError,
  }),
  ...contactedSubscriptions(dynamodb, env.SUBSCRIPTIONS_TABLE, observer.internalError),
  linkKey: linkKey(dynamodb, env.SIGNING_SECRETS_TABLE, () => randomBytes(LINK_KEY_BYTES)),
  linkUrl: `${apiUrl(process.env)}${LINK_PATH.slice(1)}`,
  send: mailSender(new SESv2Client(AWS_CLIENT_CONFIG), env.SENDER),
  post: httpPost({
    rules: parseCallbackUrlRules(env.CALLBACK_URL_RULES),
    ...networkOf(process.env),
    onRefused: (host, reason) => logger.warn('address.refused', { host, reason }),
  }),
  observer,
  now,
};

/** Operational events of the queue, a link that somebody follows, or the look at all subscriptions on schedule. */
export const handler = async (event: SQSEvent | LinkRequest | object) => {
  try {
    if ('Records' in event) {
      return await takeEvents(event.Records);
    }
    if ('requestContext' in event) {
      return await followLink(event, ports);
    }
    return await lookAtAll(ports);
  } catch (error) {
    observer.internalError(error);
    throw error;
  } finally {
    publishMetrics();
  }
};

/** What fails is received again. What is no operational event ends in the dead-letter queue. */
async function takeEvents(records: SQSEvent['Records']): Promise<SQSBatchResponse> {
  const { happened, unreadable } = readEvents(records);
  const failed = (await lookAtEach(happened, ports)).flatMap(({ recordIds }) => recordIds);
  return {
    batchItemFailures: [...unreadable, ...failed].map((itemIdentifier) => ({ itemIdentifier })),
  };
}

function count(name: string, by: Channel = 'mail'): void {
  if (by === 'mail') {
    metrics.addMetric(name, MetricUnit.Count, 1);
  }
}
