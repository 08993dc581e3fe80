import { type DynamoDBClient, GetItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import type { EndpointCounts } from '../../../core/circuit/ports.ts';
import { PING_PERIOD_SECONDS } from '../../../core/message/ping.ts';
import type { CountPing, CountRecoveries } from '../../../core/message/ports.ts';
import { subscriptionsTable as keys, pingsOf, recoveriesOf } from '../table-keys.ts';

/** Longer than any count is read. */
const KEPT_PERIODS = 60;

interface Options {
  readonly table: string;
  readonly now: () => number;
  /** @default 1 */
  readonly periodSeconds?: number;
}

/**
 * Counts per period, by default a second: whoever is active adds to the item of the current period. Nothing
 * has to be removed, so a worker that dies is not counted for ever. One item takes 1,000 writes a second.
 */
export class RollCall {
  readonly #client: DynamoDBClient;
  readonly #options: Options;
  /** What is said while the same item is being written, to be written together next. */
  readonly #next = new Map<string, { count: number; readonly said: Promise<number> }>();
  readonly #writing = new Map<string, Promise<number>>();

  constructor(client: DynamoDBClient, options: Options) {
    this.#client = client;
    this.#options = options;
  }

  /**
   * Invocations that share a process, as on the local stack, write together: one for each would keep the
   * emulator busy with nothing else.
   *
   * @returns the count of the current period so far
   */
  say(name: string, count: number): Promise<number> {
    const period = this.#period();
    const item = `${name} ${period}`;
    const next = this.#next.get(item) ?? { count: 0, said: this.#sayNext(name, period, item) };
    next.count += count;
    this.#next.set(item, next);
    return next.said;
  }

  async #sayNext(name: string, period: number, item: string): Promise<number> {
    await this.#writing.get(item)?.catch(() => undefined);
    const count = this.#next.get(item)?.count ?? 0;
    this.#next.delete(item);
    const said = this.#write(name, period, count);
    this.#writing.set(item, said);
    try {
      return await said;
    } finally {
      if (this.#writing.get(item) === said) {
        this.#writing.delete(item);
      }
    }
  }

  async #write(name: string, period: number, count: number): Promise<number> {
    const { Attributes } = await this.#client.send(
      new UpdateItemCommand({
        TableName: this.#options.table,
        Key: keyOf(name, period),
        UpdateExpression: 'ADD #count :count SET #remove = :remove',
        ExpressionAttributeNames: { '#count': 'count', '#remove': keys.timeToLive },
        ExpressionAttributeValues: marshall({
          ':count': count,
          ':remove': this.#nowSeconds() + KEPT_PERIODS * this.#periodSeconds,
        }),
        ReturnValues: 'UPDATED_NEW',
      }),
    );
    return countIn(Attributes);
  }

  /** @returns the count of the last period, or of the current one if that is higher */
  async heard(name: string): Promise<number> {
    const period = this.#period();
    const counts = await Promise.all([this.#countOf(name, period - 1), this.#countOf(name, period)]);
    return Math.max(...counts);
  }

  /**
   * Adds one to the current period.
   *
   * @returns the count of the last period, or of the current one if that is higher
   */
  async present(name: string): Promise<number> {
    const [said, heard] = await Promise.all([this.say(name, 1), this.heard(name)]);
    return Math.max(said, heard);
  }

  async #countOf(name: string, period: number): Promise<number> {
    const { Item } = await this.#client.send(
      new GetItemCommand({
        TableName: this.#options.table,
        Key: keyOf(name, period),
        ProjectionExpression: '#count',
        ExpressionAttributeNames: { '#count': 'count' },
      }),
    );
    return countIn(Item);
  }

  #period(): number {
    return Math.floor(this.#nowSeconds() / this.#periodSeconds);
  }

  get #periodSeconds(): number {
    return this.#options.periodSeconds ?? 1;
  }

  #nowSeconds(): number {
    return Math.floor(this.#options.now() / 1_000);
  }
}

function keyOf(name: string, period: number) {
  return marshall({ [keys.partitionKey]: name, [keys.sortKey]: String(period) });
}

function countIn(item: Parameters<typeof unmarshall>[0] | undefined): number {
  return Number(item === undefined ? 0 : (unmarshall(item).count ?? 0));
}

/** Counts running recoveries: each adds itself with every step. */
export function recoveryCount(rollCall: RollCall): CountRecoveries {
  return (serviceId) => rollCall.present(recoveriesOf(serviceId));
}

/** Counts draining circuits: each adds itself with every timer. */
export function drainCount(rollCall: RollCall): EndpointCounts['drains'] {
  return () => rollCall.present(keys.drains);
}

/** Counts the test pings of the current minute, in the subscriptions table. */
export function pingCount(
  client: DynamoDBClient,
  options: { readonly table: string; readonly now: () => number },
): CountPing {
  const rollCall = new RollCall(client, { ...options, periodSeconds: PING_PERIOD_SECONDS });
  return async ({ service_id, subscription_id }) => {
    const [ofService, ofSubscription] = await Promise.all([
      rollCall.say(pingsOf(service_id), 1),
      rollCall.say(pingsOf(subscription_id), 1),
    ]);
    return { ofService, ofSubscription };
  };
}
