import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { GetObjectCommand, paginateListObjectsV2, S3Client } from '@aws-sdk/client-s3';
import { clientConfig } from '../../../cli/stage/local-account.ts';
import type { MessageView } from '../../../functions/core/message/message-view.ts';
import { type LocalStack, startLocalStack } from '../../../local/local-stack.ts';
import { ourApp } from '../../../local/our-app.ts';
import { askArchive, athenaPython } from '../../support/deployed/athena.ts';
import {
  type DeployedStack,
  deployedStack,
  type Service,
  type TestReceiver,
  testReceiver,
} from '../../support/deployed/deployed-stack.ts';
import { happening } from '../../support/deployed/happening.ts';
import { eventually } from '../../support/eventually.ts';

type Row = Readonly<Record<string, unknown>>;

const directory = path.resolve(import.meta.dirname, '../../../.local', `archive-${process.pid}`);

let local: LocalStack;
let stack: DeployedStack;
let service: Service;
let receiver: TestReceiver;
let s3: S3Client;

// The stack that the other tests share has no archive: the emulator invokes archive at once, which would slow
// them down.
beforeAll(async () => {
  local = await startLocalStack({ port: 0, directory, app: ourApp({ archive: true }), log: () => {} });
  stack = await deployedStack(local.outputsFile);
  receiver = await testReceiver();
  service = await stack.newService();
  s3 = new S3Client({ ...clientConfig(local.outputs.endpoint), forcePathStyle: true });
  await athenaPython();
}, 240_000);
afterAll(async () => {
  s3?.destroy();
  await receiver?.stop();
  stack?.close();
  await local?.stop();
  await rm(directory, { recursive: true, force: true });
});

/** All files of the archive: their names and rows. */
async function files(): Promise<
  { readonly key: string; readonly zipped: Uint8Array; readonly rows: Row[] }[]
> {
  const { bucket = '' } = local.outputs.archive ?? {};
  const found: Awaited<ReturnType<typeof files>> = [];
  for await (const { Contents = [] } of paginateListObjectsV2({ client: s3 }, { Bucket: bucket })) {
    for (const { Key: key = '' } of Contents) {
      const { Body } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
      const zipped = await Body!.transformToByteArray();
      const lines = gunzipSync(zipped).toString('utf8').trim().split('\n');
      found.push({ key, zipped, rows: lines.map((line) => JSON.parse(line)) });
    }
  }
  return found;
}

/** The rows of a table about this test's messages, once there are this many distinct ones. */
function rowsOf(table: string, count: number): Promise<Row[]> {
  return eventually(`${count} rows of ${table}`, async () => {
    const rows = (await files())
      .filter(({ key }) => key.startsWith(`${table}/`))
      .flatMap((file) => file.rows)
      .filter(({ service_id }) => service_id === service.serviceId);
    const different = new Map(rows.map((row) => [JSON.stringify(row), row]));
    return different.size >= count && [...different.values()];
  });
}

const byAttempt = (one: Row, other: Row) =>
  `${one.message_id} ${one.attempt}`.localeCompare(`${other.message_id} ${other.attempt}`);

/** A message's attempts from the API, in the archive's columns. */
function attemptsOf(message: MessageView): Row[] {
  const { message_id, subscription_id, payment_id, event_type, live } = message;
  return message.attempts.map(({ response_body: _, failure_reason: __, ...attempt }) => ({
    message_id,
    service_id: service.serviceId,
    subscription_id,
    payment_id,
    event_type,
    live,
    ...attempt,
  }));
}

test('the archive has attempts and final states as in the API, without bodies, and answers SQL', async () => {
  const failing = `pay-${service.serviceId.slice(4, 12)}-fails`;
  const endpoint = await receiver.endpoint('archived', {
    failing_resource_id: failing,
    failure_status: 503,
  });
  const { id } = await service.subscribe(endpoint);
  expect(await service.call('POST', `/subscriptions/${id}/ping`)).toMatchObject({ status: 202 });
  await stack.publish(
    happening(service, { resource: { name: 'Jane Doe' } }),
    happening(service, { payment_id: failing, resource: { step: 1 } }),
    happening(service, { payment_id: failing, resource: { step: 2 } }),
  );
  await eventually('a second failed attempt', async () => {
    const { body } = await service.call('GET', `/subscriptions/${id}/messages?payment_id=${failing}`);
    return body.messages.some(({ attempt_count }: MessageView) => attempt_count > 1);
  });
  await receiver.endpoint('archived', {});
  const ended = await service.messages(
    id,
    (messages) => messages.length === 4 && messages.every(({ state }) => state === 'succeeded'),
  );
  const messages = await Promise.all(
    ended
      .filter(({ event_type }) => event_type !== 'ping')
      .map(({ message_id }) => service.message(message_id)),
  );
  expect(messages).toHaveLength(3);

  const expected = messages.flatMap(attemptsOf).sort(byAttempt);
  expect((await rowsOf('attempts', expected.length)).sort(byAttempt)).toEqual(expected);
  const ends = await rowsOf('messages', 3);
  for (const message of messages) {
    const { message_id, state, attempt_count, time_to_send_ms, held_ms, admitted_at, ended_at } = message;
    expect(ends).toContainEqual(
      expect.objectContaining(
        JSON.parse(
          JSON.stringify({
            message_id,
            state,
            attempt_count,
            time_to_send_ms,
            held_ms,
            admitted_at,
            ended_at,
          }),
        ),
      ),
    );
  }

  const kept = await files();
  const values = new Set(kept.flatMap(({ rows }) => rows.flatMap((row) => Object.values(row))));
  const said = messages.flatMap(({ body, attempts }) => [
    body,
    ...attempts.flatMap(({ response_body, failure_reason }) => [response_body, failure_reason]),
  ]);
  expect(said.filter((text) => text !== undefined && values.has(text))).toEqual([]);
  expect(JSON.stringify([...values])).not.toContain('Jane Doe');
  for (const { key, rows } of kept) {
    const [, table, day] =
      /^(attempts|messages)\/day=(\d{4}-\d\d-\d\d)\/\d+-msg_[\w-]+\.jsonl\.gz$/.exec(key) ?? [];
    const at = table === 'attempts' ? 'started_at' : 'ended_at';
    expect([...new Set(rows.map((row) => String(row[at]).slice(0, 10)))]).toEqual([day]);
  }

  const folder = await mkdtemp(path.join(tmpdir(), 'payhooks-archive-'));
  for (const { key, zipped } of kept) {
    await mkdir(path.join(folder, path.dirname(key)), { recursive: true });
    await writeFile(path.join(folder, key), zipped);
  }
  const answers = await askArchive(folder, { 'attempts-of-a-payment': [failing] });
  await rm(folder, { recursive: true });
  expect(answers['slowest-subscriptions']).toMatchObject([
    { subscription_id: id, attempts: expected.length },
  ]);
  expect(answers['attempts-of-a-payment']).toHaveLength(expected.length - 1);
  expect(answers['never-delivered']).toEqual([]);
});

test('the archive has no dead letters', async () => {
  expect(await stack.depth(local.outputs.archive?.deadLetters ?? '')).toBe(0);
});
