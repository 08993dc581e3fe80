import { marshall } from '@aws-sdk/util-dynamodb';
import { historyItems } from '../../../functions/adapters/dynamodb/history/history-items.ts';
import { tokenOf } from '../../../functions/core/api/api-token.ts';
import { recordOf } from '../../../functions/core/message/outcome.ts';
import { message, paymentEvent, TEN_O_CLOCK_MS } from '../builders.ts';

/** The functions that may run invocations concurrently, and their names in the environment. */
export const FUNCTIONS = ['match', 'deliver', 'wake', 'statistics', 'api', 'authorize'] as const;
export type FunctionName = (typeof FUNCTIONS)[number];

/** The event of a function's nth invocation: all differ, and each has something to do. */
export function eventOf(name: FunctionName, number: number): object {
  const service_id = `shop_${number}`;
  switch (name) {
    case 'match':
      return batch(
        number,
        Array.from({ length: 10 }, (_, index) =>
          index === number % 10
            ? `no JSON ${number}`
            : JSON.stringify(
                paymentEvent({
                  event_id: `evt-${number}-${index}`,
                  service_id,
                  payment_id: `pay-${number}-${index % 3}`,
                  ...(index === 8 ? { event_type: 'PAYMENT_STARTED' } : {}),
                  ...(index === 9 ? { resource: { text: `${number} `.repeat(10_000) } } : {}),
                }),
              ),
        ),
      );
    case 'deliver':
      return batch(
        number,
        ['ok', 'fails', 'gone', 'ok', 'no JSON'].slice(number % 4).map((does, index) =>
          does === 'no JSON'
            ? `no JSON ${number}`
            : JSON.stringify(
                message({
                  service_id,
                  subscription_id: `sub_${number}_${does}`,
                  event_id: `evt-${number}-${index}`,
                  payment_id: `pay-${number}-${index}`,
                  resource: JSON.stringify({ number, index }),
                }),
              ),
        ),
      );
    case 'wake':
      return batch(
        number,
        Array.from({ length: 1 + (number % 3) }, (_, index) => {
          const subscription_id = `sub_${number}_${index === 2 ? 'ok' : 'drains'}`;
          return JSON.stringify(
            index === 1
              ? {
                  v: 1,
                  kind: 'signal',
                  signal_kind: 'resume',
                  service_id,
                  subscription_id,
                  payment_id: `pay-${number}`,
                }
              : { v: 1, kind: 'circuit', service_id, subscription_id, generation: 5 },
          );
        }),
      );
    case 'statistics':
      return { shardId: `shard-${number}`, Records: changes(number) };
    case 'api':
      return request(number);
    case 'authorize':
      return { headers: number % 6 === 5 ? {} : { authorization: `Bearer ${tokenNumber(number)}` } };
  }
}

function batch(number: number, bodies: readonly string[]) {
  return {
    Records: bodies.map((body, index) => ({
      messageId: `record-${number}-${index}`,
      receiptHandle: `receipt-${number}-${index}`,
      body,
      attributes: {
        MessageGroupId: `group-${number}-${index}`,
        ApproximateReceiveCount: '1',
        // Every third batch is late, by as many minutes as its number.
        SentTimestamp: String(TEN_O_CLOCK_MS - (number % 3 === 0 ? (number + 1) * 60_000 : 10)),
        ApproximateFirstReceiveTimestamp: String(TEN_O_CLOCK_MS),
        SequenceNumber: `${number}${index}`,
      },
    })),
  };
}

/** Every fourth invocation cannot write its counts, and fails. */
function changes(number: number) {
  const subscription_id = `sub_${number}_${number % 4 === 3 ? 'uncounted' : 'ok'}`;
  return Array.from({ length: 1 + (number % 5) }, (_, index) => {
    const record = {
      ...recordOf(message({ subscription_id, event_id: `evt-${number}-${index}` })),
      state: 'succeeded' as const,
      attempt_count: index === 2 ? ('some' as unknown as number) : 1,
      last_attempt_at: '2026-11-14T10:00:00.007Z',
      ended_at: '2026-11-14T10:00:00.100Z',
    };
    const [item] = historyItems([{ record }], 90);
    const image = marshall(item, { removeUndefinedValues: true });
    return {
      eventName: 'INSERT',
      dynamodb: {
        SequenceNumber: `${number}${index}`,
        Keys: { message_id: image.message_id, item: image.item },
        NewImage: image,
      },
    };
  });
}

function request(number: number) {
  const subscription = `/v1/subscriptions/sub_${number}_ok`;
  const [method, path] = (
    [
      ['POST', `${subscription}/pause`],
      ['GET', subscription],
      ['GET', `${subscription}/statistics`],
      ['GET', `/v1/nothing/${number}`],
      ['POST', `${subscription}/pause`],
    ] as const
  )[number % 5]!;
  const context = { service_id: `shop_${number}`, token_id: `tok_${number}`, scopes: 'read write' };
  return {
    version: '2.0',
    routeKey: 'ANY /v1/{proxy+}',
    rawPath: path,
    rawQueryString: '',
    headers: { host: 'api.example', ...(number % 5 === 4 ? { 'idempotency-key': `key-${number}` } : {}) },
    isBase64Encoded: false,
    requestContext: {
      requestId: `request-${number}`,
      domainName: 'api.example',
      http: { method, path, protocol: 'HTTP/1.1', sourceIp: '192.0.2.1', userAgent: 'test' },
      ...(number % 7 === 6 ? {} : { authorizer: { lambda: context } }),
    },
  };
}

/** A token as anybody may have one. */
function tokenNumber(number: number): string {
  return tokenOf(Buffer.alloc(32, number));
}
