import { marshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import { historyItems } from '../../../../functions/adapters/dynamodb/history/history-items.ts';
import { messageAddress } from '../../../../functions/adapters/dynamodb/table-keys.ts';
import { ARCHIVE_TABLES } from '../../../../functions/core/archive/archive-columns.ts';
import type { ArchiveFile } from '../../../../functions/core/archive/archive-row.ts';
import type { Attempt } from '../../../../functions/core/attempt/attempt.ts';
import type { MessageRecord } from '../../../../functions/core/message/history.ts';
import { recordOf } from '../../../../functions/core/message/outcome.ts';
import { archive } from '../../../../functions/streams/archive/archive.ts';
import { message } from '../../../support/builders.ts';

const FIRST: Attempt = {
  attempt: 1,
  started_at: '2026-11-14T10:00:00.007Z',
  duration_ms: 93,
  status_code: 503,
  failure_class: 'http_status',
  failure_reason: 'partner.example said 503',
  response_body: 'Jane Doe is not known here',
};
const SECOND: Attempt = {
  attempt: 2,
  started_at: '2026-11-15T00:00:05.000Z',
  duration_ms: 5,
  status_code: 200,
};

/** The item of a message after one failed attempt. */
const record = (over: Partial<MessageRecord> = {}): MessageRecord => ({
  ...recordOf(message({ message_id: 'msg_1' })),
  state: 'retrying',
  attempt_count: 1,
  time_to_send_ms: 7,
  last_attempt_at: FIRST.started_at,
  last_failure_class: 'http_status',
  first_attempt: FIRST,
  ...over,
});
const succeeded = record({
  state: 'succeeded',
  attempt_count: 2,
  last_attempt_at: SECOND.started_at,
  last_failure_class: undefined,
  ended_at: '2026-11-15T00:00:05.100Z',
});

type Item = Record<string, unknown>;
let position = 100;

/** The change of an item as a record of the stream. */
function change(after: Item, before?: Item): DynamoDBRecord {
  const image = marshall(after, { removeUndefinedValues: true });
  return {
    eventName: before === undefined ? 'INSERT' : 'MODIFY',
    dynamodb: {
      SequenceNumber: String(position++),
      Keys: { payment_hash: image.payment_hash, item: image.item },
      NewImage: image,
      ...(before === undefined ? {} : { OldImage: marshall(before, { removeUndefinedValues: true }) }),
    },
  } as DynamoDBRecord;
}
const written = (one: MessageRecord, laterAttempt?: Attempt): Item[] =>
  historyItems([{ record: one, ...(laterAttempt === undefined ? {} : { laterAttempt }) }], 90);
const item = (one: MessageRecord): Item => written(one)[0]!;

async function archived(
  records: readonly DynamoDBRecord[],
  refuses: (file: ArchiveFile) => boolean = () => false,
) {
  const files: ArchiveFile[] = [];
  const errors: string[] = [];
  const ports = {
    async keep(file: ArchiveFile) {
      await new Promise((resolve) => setImmediate(resolve));
      if (refuses(file)) {
        throw new Error('throttled');
      }
      files.push(file);
    },
    unreadable: (error: Error) => void errors.push(error.message),
  };
  const failure = await archive(records, ports).then(
    () => undefined,
    (error: Error) => error.message,
  );
  const rows = (table: string) => files.filter((file) => file.table === table).flatMap((file) => file.rows);
  return { files, errors, failure, attempts: rows('attempts'), messages: rows('messages') };
}

beforeEach(() => {
  position = 100;
});

test('a message delivered at once adds a row to attempts and one to messages', async () => {
  const { attempts, messages } = await archived([
    change(item(record({ state: 'succeeded', ended_at: '2026-11-14T10:00:00.100Z' }))),
  ]);
  expect(attempts).toMatchObject([
    { message_id: 'msg_1', subscription_id: 'sub_1', attempt: 1, duration_ms: 93 },
  ]);
  expect(messages).toMatchObject([{ message_id: 'msg_1', state: 'succeeded', time_to_send_ms: 7 }]);
});

test('each attempt adds a row to its day that names its message, and the end adds one more', async () => {
  const [after, later] = written(succeeded, SECOND);
  const { files } = await archived([change(item(record())), change(after!, item(record())), change(later!)]);
  expect(files.map(({ table, day, name, rows }) => [table, day, name, rows.length])).toEqual([
    ['attempts', '2026-11-14', '100-msg_1', 1],
    ['messages', '2026-11-15', '101-msg_1', 1],
    ['attempts', '2026-11-15', '102-msg_1', 1],
  ]);
  expect(files[2]?.rows).toEqual([
    {
      message_id: 'msg_1',
      service_id: after!.service_id,
      subscription_id: 'sub_1',
      payment_id: after!.payment_id,
      event_type: after!.event_type,
      live: after!.live,
      ...SECOND,
    },
  ]);
});

test('no row contains bodies, answers or texts that may name a host, and each value has a column', async () => {
  const { files } = await archived([
    change(item(succeeded)),
    change(written(succeeded, { ...FIRST, attempt: 3 })[1]!),
  ]);
  expect(JSON.stringify(files)).not.toMatch(/secret|Jane Doe|partner\.example/);
  for (const { table, rows } of files) {
    const columns: string[] = ARCHIVE_TABLES[table].map(({ name }) => name);
    expect(rows.flatMap((row) => Object.keys(row)).filter((name) => !columns.includes(name))).toEqual([]);
  }
});

test('a resent message ends again, and its first attempt is not marked late', async () => {
  const given = record({
    state: 'exhausted',
    state_reason: 'schedule',
    ended_at: '2026-11-14T11:00:00.000Z',
  });
  const again = record({ state: 'parked', state_reason: 'catching_up', late: true });
  const { attempts, messages } = await archived([
    change(item(given)),
    change(item(again), item(given)),
    change(item({ ...succeeded, late: true }), item(again)),
  ]);
  expect(attempts).toHaveLength(1);
  expect(attempts[0]).not.toHaveProperty('late');
  expect(messages).toMatchObject([
    { state: 'exhausted', state_reason: 'schedule' },
    { state: 'succeeded', late: true },
  ]);
});

test('a message that was never sent adds an end with its reason, and no attempt', async () => {
  const { first_attempt: _, time_to_send_ms: __, last_attempt_at: ___, ...untried } = record();
  const { attempts, messages } = await archived([
    change(item({ ...untried, attempt_count: 0, state: 'parked', state_reason: 'paused' })),
    change(
      item({
        ...untried,
        attempt_count: 0,
        state: 'cancelled',
        state_reason: 'expired',
        ended_at: '2026-11-14T12:00:00.000Z',
      }),
    ),
  ]);
  expect(attempts).toEqual([]);
  expect(messages).toMatchObject([{ state: 'cancelled', state_reason: 'expired', attempt_count: 0 }]);
});

test('erasures, deletions, large resources and test pings add no row', async () => {
  const { resource: _, ...erased } = { ...succeeded, body_erased_at: '2026-11-20T00:00:00.000Z' };
  const { response_body: __, ...silent } = FIRST;
  const third = { ...FIRST, attempt: 3 };
  const removed = change(item(succeeded));
  const { NewImage, ...keys } = removed.dynamodb!;
  const { files, errors } = await archived([
    change(item({ ...erased, first_attempt: silent }), item(succeeded)),
    change(written(succeeded, { ...silent, attempt: 3 })[1]!, written(succeeded, third)[1]!),
    { ...removed, eventName: 'REMOVE', dynamodb: { ...keys, OldImage: NewImage! } },
    change({ payment_hash: 'bad', item: 'event#evt-1', resource: '{}' }),
    change(item({ ...succeeded, event_type: 'ping' })),
    change(written({ ...succeeded, event_type: 'ping' }, SECOND)[1]!),
  ]);
  expect([files, errors]).toEqual([[], []]);
});

test('an unreadable record is reported without its content, and the others are archived', async () => {
  const { errors, messages } = await archived([
    change({ ...item(succeeded), ...messageAddress('msg_bad'), attempt_count: 'one' }),
    change(item(succeeded)),
  ]);
  expect(errors).toEqual(['message_id msg_bad: cannot be read; see attempt_count']);
  expect(messages).toMatchObject([{ message_id: 'msg_1' }]);
});

test('a number too large for JavaScript, put there by hand, does not stop the archive', async () => {
  const odd = change(item({ ...succeeded, message_id: 'msg_odd' }));
  Object.assign(odd.dynamodb?.NewImage ?? {}, { attempt_count: { N: '1e30' } });
  const { errors, failure, messages } = await archived([odd, change(item(succeeded))]);
  expect(failure).toBeUndefined();
  expect(errors).toEqual(['message_id msg_odd: cannot be read; see attempt_count']);
  expect(messages).toMatchObject([{ message_id: 'msg_1' }]);
});

test('a record of a later format version is reported, not misread', async () => {
  const { errors, attempts, messages } = await archived([change({ ...item(succeeded), format_version: 2 })]);
  expect(errors).toEqual(['message_id msg_1: is of format version 2, and only 1 is known here']);
  expect([...attempts, ...messages]).toEqual([]);
});

test('if one file cannot be stored the batch fails, but only after all others are', async () => {
  const { files, failure } = await archived([change(item(succeeded))], ({ table }) => table === 'attempts');
  expect(failure).toBe('throttled');
  expect(files).toMatchObject([{ table: 'messages' }]);
});

test('a batch that is received again, whole or in halves, overwrites its files and loses no row', async () => {
  const batch = ['msg_1', 'msg_2', 'msg_3', 'msg_4'].map((message_id) =>
    change(item({ ...succeeded, message_id })),
  );
  const bucket = new Map<string, ArchiveFile>();
  for (const part of [batch, batch, batch.slice(0, 2), batch.slice(2)]) {
    for (const file of (await archived(part)).files) {
      bucket.set(`${file.table} ${file.day} ${file.name}`, file);
    }
  }
  const rows = [...bucket.values()].flatMap((file) =>
    file.rows.map(({ message_id }) => `${file.table} ${message_id}`),
  );
  expect(rows.sort()).toEqual(
    ['attempts', 'messages'].flatMap((table) => [1, 2, 3, 4].map((id) => `${table} msg_${id}`)),
  );
});
