import { marshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import { historyItems } from '../../../../functions/adapters/dynamodb/history/history-items.ts';
import { messageAddress } from '../../../../functions/adapters/dynamodb/table-keys.ts';
import type { MessageRecord } from '../../../../functions/core/message/history.ts';
import { recordOf } from '../../../../functions/core/message/outcome.ts';
import type { StatisticsChange } from '../../../../functions/core/statistics/statistics-of-changes.ts';
import { updateStatistics } from '../../../../functions/streams/statistics/statistics.ts';
import { message } from '../../../support/builders.ts';

/** The item of a message that was delivered at once at ten. */
const record = (over: Partial<MessageRecord> = {}): MessageRecord => ({
  ...recordOf(message()),
  state: 'succeeded',
  attempt_count: 1,
  last_attempt_at: '2026-11-14T10:00:00.007Z',
  ended_at: '2026-11-14T10:00:00.100Z',
  ...over,
});
const attempt = { attempt: 2, started_at: '2026-11-14T10:00:05.000Z', duration_ms: 5 };

let position = 10;

/** Changes of items as records of the stream. */
function changes(items: readonly Record<string, unknown>[], before?: Record<string, unknown>) {
  return items.map((item) => {
    position += 1;
    const image = marshall(item, { removeUndefinedValues: true });
    return {
      eventName: before === undefined ? 'INSERT' : 'MODIFY',
      dynamodb: {
        SequenceNumber: String(position),
        Keys: { payment_hash: image.payment_hash, item: image.item },
        NewImage: image,
        ...(before === undefined ? {} : { OldImage: marshall(before, { removeUndefinedValues: true }) }),
      },
    } as DynamoDBRecord;
  });
}
const written = (one: MessageRecord) => historyItems([{ record: one }], 90);

async function tallied(Records: DynamoDBRecord[], add?: (one: StatisticsChange) => Promise<void>) {
  const added: StatisticsChange[] = [];
  const errors: string[] = [];
  const ports = {
    add: async (one: StatisticsChange) => {
      await add?.(one);
      added.push(one);
      return undefined;
    },
    unreadable: (error: Error) => void errors.push(error.message),
  };
  const failure = await updateStatistics({ Records }, ports).catch((error: Error) => error.message);
  return { added, errors, failure };
}

test('the changes of a batch are added with one call for each subscription and hour', async () => {
  const { added } = await tallied([
    ...changes(written(record())),
    ...changes(written(record())),
    ...changes(written(record({ subscription_id: 'sub_2' }))),
  ]);
  expect(added).toMatchObject([
    { subscription_id: 'sub_1', since: '2026-11-14T10:00:00.000Z', delivered: 2 },
    { subscription_id: 'sub_2', since: '2026-11-14T10:00:00.000Z', delivered: 1 },
  ]);
});

test('a change is counted relative to what was there before', async () => {
  const [before] = written(record({ state: 'retrying', last_failure_class: 'timeout', ended_at: undefined }));
  const { added } = await tallied(changes(written(record({ attempt_count: 2 })), before));
  expect(added).toMatchObject([{ delivered: 1, failed_attempts: 0 }]);
});

test('later attempts, resources and deletions are ignored', async () => {
  const [, later] = historyItems([{ record: record(), laterAttempt: attempt }], 90);
  const [removed] = changes(written(record()));
  const { NewImage: OldImage, ...rest } = removed!.dynamodb!;
  const { added, errors } = await tallied([
    ...changes([later!, { payment_hash: 'bad', item: 'event#evt-1', resource: '{}' }]),
    { ...removed, eventName: 'REMOVE', dynamodb: { ...rest, OldImage: OldImage! } },
  ]);
  expect([added, errors]).toEqual([[], []]);
});

test('an unreadable record is reported without its content, and the others are counted', async () => {
  const [item] = written(record());
  const { added, errors } = await tallied([
    ...changes([{ ...item, ...messageAddress('msg_bad'), attempt_count: 'one' }]),
    ...changes(written(record())),
  ]);
  expect(errors).toEqual(['message_id msg_bad: cannot be read; see attempt_count']);
  expect(added).toMatchObject([{ delivered: 1 }]);
});

test('if one call fails the batch fails, but only after all others have ended', async () => {
  const { added, failure } = await tallied(
    [...changes(written(record())), ...changes(written(record({ subscription_id: 'sub_2' })))],
    async ({ subscription_id }) => {
      if (subscription_id === 'sub_1') {
        throw new Error('throttled');
      }
      await new Promise((resolve) => setImmediate(resolve));
    },
  );
  expect(failure).toBe('throttled');
  expect(added).toMatchObject([{ subscription_id: 'sub_2' }]);
});

test('a number that JavaScript cannot hold keeps nothing else of the batch from being counted', async () => {
  const [odd] = changes(written(record({ message_id: 'msg_odd' })));
  Object.assign(odd?.dynamodb?.NewImage ?? {}, { attempt_count: { N: '1E+125' } });
  const { added, errors, failure } = await tallied([odd!, ...changes(written(record()))]);
  expect(failure).toBeUndefined();
  expect(errors).toEqual([expect.stringContaining('msg_odd')]);
  expect(added).toMatchObject([{ delivered: 1 }]);
});
