import { marshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import { historyItems } from '../../../../functions/adapters/dynamodb/history/history-items.ts';
import type { MessageRecord } from '../../../../functions/core/message/history.ts';
import { recordOf } from '../../../../functions/core/message/outcome.ts';
import { message, TEN_O_CLOCK_MS } from '../../../support/builders.ts';
import type { Dice } from '../../../support/dice.ts';

const MESSAGES = 30;
const FIRST_SHARDS = 3;
const MAX_FAILURES = 3;
const TWO_HOURS_MS = 7_200_000;

interface Change {
  readonly before: MessageRecord | undefined;
  readonly after: MessageRecord;
}

interface Shard {
  readonly id: string;
  readonly records: DynamoDBRecord[];
}

function followed(sequenceNumber: number, { before, after }: Change): DynamoDBRecord {
  const [NewImage, OldImage] = [after, before].map((one) => one && imageOf(one));
  return {
    eventName: before === undefined ? 'INSERT' : 'MODIFY',
    dynamodb: {
      // Numbers of different lengths.
      SequenceNumber: String(10n ** 21n - 500n + BigInt(sequenceNumber)),
      Keys: { message_id: NewImage!.message_id, item: NewImage!.item },
      NewImage,
      ...(OldImage && { OldImage }),
    },
  } as DynamoDBRecord;
}

function imageOf(record: MessageRecord) {
  return marshall(historyItems([{ record }], 90)[0]!, { removeUndefinedValues: true });
}

/** Messages of two subscriptions that fail, succeed or give up over two hours, in the shards of a stream. */
export class ShardedHistory {
  /** Each shard of the second generation continues for the messages of one of the first. */
  readonly generations: readonly [readonly Shard[], readonly Shard[]];
  readonly #ended: MessageRecord[] = [];
  readonly #failures: string[][] = [];

  constructor(dice: Dice) {
    const shards = Array.from({ length: FIRST_SHARDS }, (_, shard) =>
      ['parent', 'child', 'other child'].map((name) => ({
        id: `${name} of ${shard}`,
        records: [] as DynamoDBRecord[],
      })),
    );
    let sequenceNumber = dice.whole(0, 499);
    const waiting = Array.from({ length: MESSAGES }, (_, number) => this.#story(number, dice));
    for (let told = 0; waiting.length > 0; told += 1) {
      const at = dice.whole(0, waiting.length - 1);
      const { number, changes } = waiting[at]!;
      const [parent, child, other] = shards[number % FIRST_SHARDS]!;
      const shard = told < MESSAGES ? parent : number % 2 === 0 ? child : other;
      sequenceNumber += dice.whole(1, 9);
      shard!.records.push(followed(sequenceNumber, changes.shift()!));
      if (changes.length === 0) waiting.splice(at, 1);
    }
    this.generations = [shards.map(([parent]) => parent!), shards.flatMap(([, ...children]) => children)];
  }

  /** What each subscription counts by hour, from each message by itself. */
  counted(hourOf: (at: string) => string): Record<string, number> {
    const counts: Record<string, number> = {};
    const count = (record: MessageRecord, at: string, what: string) => {
      const name = `${record.subscription_id} ${hourOf(at)} ${what}`;
      counts[name] = (counts[name] ?? 0) + 1;
    };
    for (const [index, record] of this.#ended.entries()) {
      count(record, record.ended_at!, record.state === 'succeeded' ? 'delivered' : 'exhausted');
      if (record.state === 'succeeded') {
        count(record, record.ended_at!, 'times to acknowledge');
        const ms = Date.parse(record.ended_at!) - Date.parse(record.admitted_at);
        if (ms <= 60_000) count(record, record.ended_at!, 'acknowledged_within_60_s');
      }
      for (const at of this.#failures[index]!) {
        count(record, at, 'failed_attempts');
        count(record, at, 'f_timeout');
      }
    }
    return counts;
  }

  #story(number: number, dice: Dice): { readonly number: number; readonly changes: Change[] } {
    const at = () => new Date(TEN_O_CLOCK_MS + dice.whole(0, TWO_HOURS_MS - 1)).toISOString();
    const subscription_id = `sub_${dice.whole(1, 2)}`;
    const first: MessageRecord = {
      ...recordOf(message({ event_id: `evt-${number}`, subscription_id })),
      state: 'parked',
      attempt_count: 0,
    };
    const failures = Array.from({ length: dice.whole(0, MAX_FAILURES) }, at);
    const records = failures.map(
      (last_attempt_at, attempt): MessageRecord => ({
        ...first,
        state: 'retrying',
        attempt_count: attempt + 1,
        last_attempt_at,
        last_failure_class: 'timeout',
      }),
    );
    const last = records.at(-1) ?? first;
    const ended: MessageRecord =
      records.length > 0 && dice.chance(0.3)
        ? { ...last, state: 'exhausted', ended_at: at() }
        : {
            ...last,
            state: 'succeeded',
            attempt_count: failures.length + 1,
            last_attempt_at: at(),
            last_failure_class: undefined,
            ended_at: at(),
          };
    this.#ended.push(ended);
    this.#failures.push(failures);
    const all = [first, ...records, ended];
    return { number, changes: all.map((after, index) => ({ before: all[index - 1], after })) };
  }
}
