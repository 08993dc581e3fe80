import { setImmediate as others } from 'node:timers/promises';
import type { DynamoDBClient, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { FIGURES } from '../../../../functions/core/statistics/statistics.ts';
import type { Dice } from '../../../support/dice.ts';
import { conditionFailed } from '../../adapters/dynamodb/pages.ts';

type Item = Record<string, unknown>;
type Update = UpdateItemCommand['input'];

const COUNTED: readonly string[] = [...FIGURES, 'times to acknowledge', 'f_timeout'];

/** In all buckets together. */
function acknowledged(item: Item): number {
  return Object.entries(item)
    .filter(([name]) => /^a\d+$/.test(name))
    .reduce((sum, [, count]) => sum + Number(count), 0);
}

/** The items of statistics, written as DynamoDB does, by workers that may die at each write. */
export class StatisticsItems {
  readonly #items = new Map<string, Item>();
  readonly #late: (() => void)[] = [];

  /** A client of one invocation. What it sends may arrive long after its worker has died. */
  worker(dice: Dice, met: { late: number; lost: number }): DynamoDBClient {
    let isDead = false;
    const send = async ({ input }: UpdateItemCommand) => {
      for (let turns = dice.whole(0, 3); turns > 0; turns -= 1) await others();
      if (!isDead && dice.chance(0.1)) {
        isDead = true;
        if (dice.chance(0.5)) this.#write(input);
      }
      if (isDead) {
        if (dice.chance(0.3)) {
          met.late += 1;
          this.#late.push(() => this.#write(input));
        }
        throw new Error('killed');
      }
      if (dice.chance(0.2)) this.#late.splice(0, 1)[0]?.();
      const isLost = dice.chance(0.2);
      if (isLost) {
        // The SDK tries again, perhaps after others have written.
        met.lost += 1;
        this.#write(input);
        for (let turns = dice.whole(0, 9); turns > 0; turns -= 1) await others();
      }
      const refused = this.#write(input);
      if (refused !== undefined) {
        throw conditionFailed(refused);
      }
      return {};
    };
    return { send } as unknown as DynamoDBClient;
  }

  async lateWrites(): Promise<void> {
    for (const write of this.#late) write();
  }

  counted(): Record<string, number> {
    return Object.fromEntries(
      [...this.#items].flatMap(([key, item]) =>
        Object.entries({ ...item, 'times to acknowledge': acknowledged(item) }).flatMap(([name, count]) =>
          COUNTED.includes(name) && count ? [[`${key} ${name}`, Number(count)]] : [],
        ),
      ),
    );
  }

  /** Answers the item if its condition refuses the update. */
  #write({ Key, ExpressionAttributeNames: names = {}, ExpressionAttributeValues, ...update }: Update) {
    const { subscription_id, since } = unmarshall(Key!);
    const values = unmarshall(ExpressionAttributeValues!);
    const item = this.#items.get(`${subscription_id} ${since}`) ?? {};
    const { UpdateExpression = '', ConditionExpression: condition } = update;
    const [, name = '', value = ''] = /(#\w+) < (:\w+)/.exec(condition ?? '') ?? [];
    const stored = item[names[name] ?? ''];
    if (condition !== undefined && stored !== undefined && !(String(stored) < values[value])) {
      return item;
    }
    const [adding = '', setting = ''] = UpdateExpression.split(' SET ');
    const written = { ...item };
    for (const [, to = '', by = ''] of adding.matchAll(/(#\w+) (:\w+)/g)) {
      written[names[to]!] = Number(written[names[to]!] ?? 0) + values[by];
    }
    for (const [, to = '', by = ''] of setting.matchAll(/(#\w+) = (:\w+)/g)) {
      written[names[to]!] = values[by];
    }
    this.#items.set(`${subscription_id} ${since}`, written);
    return undefined;
  }
}
