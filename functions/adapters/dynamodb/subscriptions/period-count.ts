import { type DynamoDBClient, GetItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { subscriptionsTable as keys } from '../table-keys.ts';

/** Longer than anybody asks for a count. */
const KEPT_PERIODS = 60;

interface Options {
  /** The table `Subscriptions`. */
  readonly table: string;
  readonly now: () => number;
  /** @default 1 */
  readonly periodSeconds?: number;
}

/**
 * Counts that last for a second, or another period: whoever is there adds to the item of this one. Nobody has to be crossed off, so nothing that dies is counted for ever. One
 * item takes 1,000 writes a second.
 */
export class RollCall {
  readonly #client: DynamoDBClient;
  readonly #options: Options;

  constructor(client: DynamoDBClient, options: Options) {
    this.#client = client;
    this.#options = options;
  }

  /** @returns what this period has come to so far */
  async say(name: string, count: number): Promise<number> {
    const period = this.#period();
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

  /** @returns what the last period came to, or this one so far, if that is more */
  async heard(name: string): Promise<number> {
    const period = this.#period();
    const counts = await Promise.all([this.#countOf(name, period - 1), this.#countOf(name, period)]);
    return Math.max(...counts);
  }

  /** @returns how many said in the last period that they were there, or in this one so far, if that is more; who asks says so too */
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
