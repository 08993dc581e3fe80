import {
  BatchGetItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  QueryCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import type { StageAccess } from '../../../../../cli/stage/stage-access.ts';
import { dueShard } from '../../../../../functions/adapters/dynamodb/ordering-keys/due-shard.ts';
import { messageAddress } from '../../../../../functions/adapters/dynamodb/table-keys.ts';
import { paymentHash } from '../../../../../functions/core/message/message.ts';
import { ops } from '../../../../support/operator-run.ts';

type Item = Readonly<Record<string, unknown>>;

/** What lies in the tables of a stage. */
export interface StageItems {
  readonly subscriptions?: readonly Item[];
  /** Messages' records and later attempts. */
  readonly history?: readonly Item[];
  readonly keys?: readonly Item[];
}

const NAMES = { subscriptions: 'subscriptions', orderingKeys: 'keys', history: 'history' };

/**
 * As much of DynamoDB as looking at circuits needs: the indexes by what they are keyed by, conditions as the
 * command writes them.
 */
export class CircuitsWorld {
  readonly #items: StageItems;
  /** May neither read the history itself nor all of a subscription: who is on call. */
  readonly #isOnCall: boolean;
  /** Items that were looked at, by the limits of the queries: what bounds the price. */
  examined = 0;

  constructor(items: StageItems, { isOnCall = false } = {}) {
    this.#items = items;
    this.#isOnCall = isOnCall;
  }

  async run(...args: string[]): Promise<string> {
    const access = {
      dynamodb: { send: async (command: object) => this.#send(command) } as unknown as DynamoDBClient,
      tables: async () => NAMES,
    } as unknown as StageAccess;
    const { isWell, printed } = await ops(['circuits', ...args], { access: async () => access });
    expect(isWell).toBe(true);
    return printed;
  }

  #send(command: object) {
    if (command instanceof QueryCommand) {
      return this.#query(command);
    }
    if (command instanceof GetItemCommand) {
      return this.#get(command);
    }
    if (command instanceof BatchGetItemCommand) {
      return this.#batchGet(command);
    }
    throw new Error(
      `looking changes nothing: ${command instanceof UpdateItemCommand ? 'an update' : command}`,
    );
  }

  #query({ input }: QueryCommand) {
    const values = unmarshall(input.ExpressionAttributeValues ?? {});
    const all = this.#indexed(`${input.TableName}/${input.IndexName}`, values);
    const order = input.ScanIndexForward === false ? all.toReversed() : all;
    const page = order.slice(0, input.Limit ?? order.length);
    this.examined += page.length;
    const filter = input.FilterExpression ?? '';
    const Items = page
      .filter((item) => !filter.includes('attribute_exists(#last)') || 'last_attempt_at' in item)
      .filter((item) => !filter.includes('#state = :waiting') || item.state === values[':waiting'])
      .filter((item) => !filter.includes('#since < :since') || String(item.oldest_since) < values[':since']);
    return {
      Items: Items.map((item) => marshall(item, { removeUndefinedValues: true })),
      Count: page.length,
      ...(page.length < order.length ? { LastEvaluatedKey: {} } : {}),
    };
  }

  #indexed(index: string, values: Item): readonly Item[] {
    const { subscriptions = [], history = [], keys = [] } = this.#items;
    const by = (items: readonly Item[], name: string, value: unknown, sort: string) =>
      items
        .filter((item) => item[name] === value)
        .sort((one, other) => String(one[sort]).localeCompare(String(other[sort])));
    switch (index) {
      case 'subscriptions/due':
        return subscriptions.filter(({ subscription_id: id }) => dueShard(String(id)) === values[':shard']);
      case 'keys/due':
        return keys
          .filter(({ ordering_key: key }) => dueShard(String(key)) === values[':shard'])
          .filter(({ check_at }) => String(check_at) < String(values[':end']))
          .sort((one, other) => String(one.check_at).localeCompare(String(other.check_at)));
      case 'keys/backlog':
        return by(keys, 'backlog_of', values[':backlog_of'], 'backlogged_at');
      case 'history/undelivered':
        return by(history, 'undelivered', values[':undelivered'], 'admitted_at');
      case 'history/undefined':
        return history.filter(
          ({ service_id, payment_id }) =>
            paymentHash({ service_id: String(service_id), payment_id: String(payment_id) }) ===
            values[':payment'],
        );
      case 'history/by_subscription':
        return by(history, 'subscription_id', values[':subscription_id'], 'admitted_at');
      default:
        throw new Error(`there is no index ${index}`);
    }
  }

  #get({ input }: GetItemCommand) {
    const { service_id, item } = unmarshall(input.Key ?? {});
    const names = Object.values(input.ExpressionAttributeNames ?? {});
    if (this.#isOnCall && (names.length === 0 || names.includes('callback_url'))) {
      throw refused('dynamodb:GetItem');
    }
    const found = this.#items.subscriptions?.find(
      (one) => one.service_id === service_id && one.subscription_id === item,
    );
    const shown = Object.entries(found ?? {}).filter(([name]) => names.length === 0 || names.includes(name));
    return found === undefined
      ? {}
      : { Item: marshall(Object.fromEntries(shown), { removeUndefinedValues: true }) };
  }

  #batchGet({ input }: BatchGetItemCommand) {
    if (this.#isOnCall) {
      throw refused('dynamodb:BatchGetItem');
    }
    const keys = (input.RequestItems?.[NAMES.history]?.Keys ?? []).map((key) => unmarshall(key));
    const found = keys.flatMap(
      ({ payment_hash, item }) =>
        this.#items.history?.find((one) => one.payment_hash === payment_hash && one.item === item) ?? [],
    );
    return {
      Responses: { [NAMES.history]: found.map((one) => marshall(one, { removeUndefinedValues: true })) },
    };
  }
}

function refused(action: string): Error {
  const message = `User: arn:aws:sts::1:assumed-role/OnCall/ada is not authorized to perform: ${action} on resource: "x"`;
  return Object.assign(new Error(message), { name: 'AccessDeniedException' });
}

/** So long ago, as an instant. */
export function ago(minutes: number): string {
  return new Date(Date.now() - minutes * 60_000).toISOString();
}

/** A message whose first and only attempt came to this. */
export function tried(over: {
  readonly message_id: string;
  readonly admitted_at: string;
  readonly [name: string]: unknown;
}): Item {
  const { message_id, admitted_at, duration_ms = 50, failure_reason, ...rest } = over;
  return {
    ...messageAddress(message_id),
    event_id: `event of ${message_id}`,
    event_type: 'card_payment_captured',
    live: true,
    occurred_at: admitted_at,
    order_number: '1',
    body_format: 1,
    subscription_id: 'sub_1',
    service_id: 'bakery',
    payment_id: `pay of ${message_id}`,
    admitted_at,
    state: 'succeeded',
    attempt_count: 1,
    last_attempt_at: admitted_at,
    last_status_code: 200,
    first_attempt: { duration_ms, failure_reason },
    ...rest,
  };
}

/** A payment that waits for its own time. */
export function waitingKey(payment: string, over: Item = {}): Item {
  return {
    ordering_key: `sub_1.${payment}`,
    service_id: 'bakery',
    subscription_id: 'sub_1',
    payment_id: payment,
    state: 'waiting',
    // Due in ten seconds; sweep looks at it two minutes after that.
    check_at: new Date(Date.now() + 130_000).toISOString(),
    oldest_since: ago(60),
    ...over,
  };
}
