import { createHash } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { sealSecrets } from '../../../functions/adapters/dynamodb/secrets/sealed-secrets.ts';
import { kmsSeal } from '../../../functions/adapters/kms/kms-sealing.ts';
import { tokenIdOf } from '../../../functions/core/api/api-token.ts';
import { keptSecrets, subscription } from '../builders.ts';
import { loopback } from '../network/dead-address.ts';
import { answerOf } from './queue-protocol.ts';

type Item = Readonly<Record<string, unknown>>;
type Key = Parameters<typeof unmarshall>[0] | undefined;

const DATA_KEY = { Plaintext: Buffer.alloc(32).toString('base64'), CiphertextBlob: 'a2V5' };
const SEALED = await sealSecrets(
  kmsSeal(async () => DATA_KEY, 'key'),
  'anyone',
  keptSecrets(),
);

interface AwsRequest {
  readonly TableName?: string;
  readonly Key?: Key;
  readonly RequestItems?: Record<string, { readonly Keys?: readonly Key[] } | readonly object[]>;
  readonly TransactItems?: readonly object[];
}

export interface AwsStandIn {
  readonly endpoint: string;
  /** Requests to AWS and to partners. */
  readonly requests: object[];
  close(): Promise<void>;
}

/**
 * Stateless tables, queues, bus and partners: answers depend only on the request, so order does not matter.
 * Subscription ids say what their partner does: `sub_7_ok`, `sub_7_fails`, `sub_7_gone`; `sub_7_drains` has a
 * draining circuit.
 *
 * @param longestMs answers take up to this long, each its own time
 */
export async function awsStandIn(longestMs: number): Promise<AwsStandIn> {
  const requests: object[] = [];
  const delay = promisify(setTimeout);
  const aws = await loopback(async (request, response) => {
    // From a clock other than the functions' own.
    response.sendDate = false;
    const body = await text(request);
    const { url = '', headers } = request;
    const target = String(headers['x-amz-target'] ?? '')
      .split('.')
      .at(-1);
    const signed = Object.entries(headers).filter(([name]) => name.startsWith('webhook-'));
    requests.push({ target: target || url, signed, body: JSON.parse(body) });
    const takesMs = createHash('md5').update(url).update(body).digest()[0]! % longestMs;
    if (longestMs > 0) await delay(takesMs);
    if (target === '') {
      response
        .writeHead({ fails: 500, gone: 410 }[url.split('_').at(-1) ?? ''] ?? 200)
        .end(`answer to ${url}`);
      return;
    }
    const refusal = refusalOf(target!, body);
    response
      .writeHead(refusal === undefined ? 200 : 400, { 'content-type': 'application/x-amz-json-1.0' })
      .end(JSON.stringify(refusal ?? answer(target!, JSON.parse(body) as AwsRequest, aws.url)));
  });
  aws.server.keepAliveTimeout = 60_000;
  return { endpoint: aws.url, requests, close: aws.stop };
}

/** Every fifth invocation cannot count its token, and every fourth cannot write its statistics. */
function refusalOf(target: string, body: string): object | undefined {
  const isRefused = target === 'UpdateItem' && /"token_hash":\{"S":"0|uncounted/.test(body);
  return isRefused ? { __type: 'ValidationException', message: `refused ${body.length}` } : undefined;
}

function answer(target: string, request: AwsRequest, endpoint: string): object {
  const units = (table = '', count = 1) => ({ TableName: table, CapacityUnits: count });
  switch (target) {
    case 'BatchGetItem': {
      const tables = Object.entries(request.RequestItems ?? {}).map(([table, wanted]): [string, Item[]] => {
        const keys = 'Keys' in wanted ? (wanted.Keys as readonly Key[]) : [];
        return [table, keys.flatMap((key: Key) => itemsOf(table, key, endpoint))];
      });
      return {
        Responses: Object.fromEntries(tables.map(([table, items]) => [table, items.map(marshalled)])),
        UnprocessedKeys: {},
        ConsumedCapacity: tables.map(([table, items]) => units(table, items.length)),
      };
    }
    case 'GetItem': {
      const item = itemOf(request.TableName ?? '', unmarshall(request.Key ?? {}), endpoint);
      return {
        ...(item === undefined ? {} : { Item: marshalled(item) }),
        ConsumedCapacity: units(request.TableName),
      };
    }
    case 'Decrypt':
      return DATA_KEY;
    case 'ChangeMessageVisibilityBatch':
      return { Successful: [], Failed: [] };
    case 'Query':
      return { Items: [], Count: 0, ConsumedCapacity: units(request.TableName) };
    case 'BatchWriteItem':
      return {
        UnprocessedItems: {},
        ConsumedCapacity: Object.entries(request.RequestItems ?? {}).map(([table, items]) =>
          units(table, (items as readonly object[]).length),
        ),
      };
    case 'TransactWriteItems':
      return { ConsumedCapacity: [units('keys', request.TransactItems?.length)] };
    case 'PutItem':
    case 'DeleteItem':
      return { ConsumedCapacity: units(request.TableName) };
    case 'UpdateItem':
      return { Attributes: marshall({ count: 1 }), ConsumedCapacity: units(request.TableName) };
    default:
      return answerOf(target, request as Parameters<typeof answerOf>[1], () => '1').json;
  }
}

function itemsOf(table: string, key: Key, endpoint: string): Item[] {
  const item = itemOf(table, unmarshall(key ?? {}), endpoint);
  return item === undefined ? [] : [item];
}

/** Bytes become base64, as on the wire. */
const marshalled = (item: Item) =>
  JSON.parse(
    JSON.stringify(marshall(item, { removeUndefinedValues: true }), (_, value) =>
      value?.type === 'Buffer' ? Buffer.from(value.data).toString('base64') : value,
    ),
  );

function itemOf(table: string, key: Item, endpoint: string): Item | undefined {
  const { service_id, item, subscription_id, token_hash } = key as Record<string, string>;
  switch (table) {
    case 'subscriptions': {
      if (item === 'routes') {
        const number = service_id?.split('_')[1];
        const routes = ['a', 'b'].map((one) => ({
          subscription_id: `sub_${number}_${one}`,
          event_types: ['card_payment_captured'],
          live: false,
        }));
        return { service_id, item, version: 1, routes };
      }
      return item?.startsWith('sub_') === true
        ? { ...subscriptionOf(service_id!, item, endpoint), item }
        : undefined;
    }
    case 'secrets':
      return { subscription_id, ...SEALED };
    case 'tokens':
      return {
        token_hash,
        token_id: tokenIdOf(token_hash!),
        service_id: `shop_${token_hash!.slice(0, 4)}`,
        description: 'test',
        scopes: ['read'],
        created_at: '2026-11-01T00:00:00.000Z',
      };
    default:
      return undefined;
  }
}

function subscriptionOf(service_id: string, subscription_id: string, endpoint: string) {
  const circuit = {
    state: 'draining' as const,
    revision: 3,
    generation: 5,
    since: '2026-11-14T09:00:00.000Z',
    quiet_since: '2026-11-14T09:00:00.000Z',
    timer_at: '2026-11-14T10:00:00.000Z',
    failed_ordering_keys: [],
    window: 10,
  };
  return {
    ...subscription({ service_id, subscription_id, callback_url: `${endpoint}/${subscription_id}` }),
    ...(subscription_id.endsWith('_drains') ? { circuit } : {}),
  };
}
