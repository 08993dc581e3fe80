import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { crc32, gzipSync } from 'node:zlib';
import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { slowStoreControl } from '../../../../local/slow-store/control.ts';
import { fates } from '../../../../local/slow-store/fate.ts';
import { settingsSchema } from '../../../../local/slow-store/settings.ts';
import { eventually } from '../../../support/eventually.ts';
import { type Between, between } from './slow-store-emulator.ts';

let given: Between;
afterEach(() => given.stop());

const control = () => slowStoreControl(given.proxy.url);

const CLIENT = {
  region: 'eu-west-1',
  credentials: { accessKeyId: 'AKIA', secretAccessKey: 'secret' },
  maxAttempts: 1,
};
const putItem = () =>
  new DynamoDBClient({ ...CLIENT, endpoint: given.proxy.url }).send(
    new PutItemCommand({ TableName: 'keys', Item: { id: { S: 'a' } } }),
  );
const sendMessage = () =>
  new SQSClient({ ...CLIENT, endpoint: given.proxy.url, md5: false }).send(
    new SendMessageCommand({ QueueUrl: 'http://localhost/0/q', MessageBody: 'a' }),
  );

/** A call as functions make it, with nothing of the SDK between. */
function call(target: string, init: RequestInit = {}): Promise<Response> {
  return fetch(given.proxy.url, {
    method: 'POST',
    body: '{}',
    ...init,
    headers: { 'x-amz-target': target, ...init.headers },
  });
}

async function millisecondsOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

test('without settings, requests and answers pass unchanged', async () => {
  const body = gzipSync('{"Item":{}}');
  given = await between((response) => {
    response.writeHead(201, 'Made', [
      ...['X-Amz-Crc32', String(crc32(body)), 'Content-Encoding', 'gzip'],
      ...['Set-Cookie', 'a=1', 'Set-Cookie', 'b=2', 'Content-Length', String(body.length)],
    ]);
    response.end(body);
  });
  const outgoing = request(`${given.proxy.url}/0/queue?a=%2F`, {
    method: 'POST',
    headers: { Authorization: 'AWS4 x', 'X-Amz-Target': 'DynamoDB_20120810.GetItem' },
  });
  outgoing.end('{"a":"ü"}');
  const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk);
  expect(Buffer.concat(chunks)).toEqual(body);
  expect([answer.statusCode, answer.statusMessage]).toEqual([201, 'Made']);
  expect(answer.headers).toMatchObject({
    'x-amz-crc32': String(crc32(body)),
    'content-encoding': 'gzip',
    'set-cookie': ['a=1', 'b=2'],
  });
  expect(given.seen).toEqual([
    {
      method: 'POST',
      path: '/0/queue?a=%2F',
      headers: expect.objectContaining({
        host: new URL(given.proxy.url).host,
        authorization: 'AWS4 x',
        'x-amz-target': 'DynamoDB_20120810.GetItem',
      }),
      body: '{"a":"ü"}',
    },
  ]);
});

test('a large body passes in both directions', async () => {
  given = await between((response, { body }) => response.end(body));
  const body = 'x'.repeat(1_000_000);
  const answer = await call('AmazonSQS.SendMessage', { body });
  expect(await answer.text()).toBe(body);
});

test('only calls to the configured service are delayed', async () => {
  given = await between();
  await control().behave({ dynamodb: { delay_ms: 60_000 } });
  await sendMessage();
  await control().behave({ dynamodb: { delay_ms: 300 } });
  expect(await millisecondsOf(() => call('DynamoDB_20120810.PutItem'))).toBeGreaterThan(295);
});

test.each([
  ['dynamodb', putItem, sendMessage, ['ProvisionedThroughputExceededException', 'InternalServerError']],
  ['sqs', sendMessage, putItem, ['RequestThrottled', 'InternalFailure']],
] as const)(
  'failing calls of %s are told in its words, and reach it only where the answer is lost',
  async (service, ask, askOther, [throttled, internal]) => {
    given = await between();
    const settings = { [service]: { failure_rate: 1 } };
    await control().behave(settings);
    const fateOf = fates(settingsSchema.parse(settings));
    const kinds = Array.from({ length: 12 }, () => fateOf(service).failure);
    for (const kind of kinds) {
      const told = kind === 'throttled' ? [throttled, 400] : [internal, 500];
      await expect(ask()).rejects.toMatchObject({
        name: told[0],
        $metadata: expect.objectContaining({ httpStatusCode: told[1] }),
      });
    }
    expect(given.seen).toHaveLength(kinds.filter((kind) => kind === 'answer_lost').length);
    await askOther();
  },
);

test('the checksum of a failure matches its body', async () => {
  given = await between();
  await control().behave({ dynamodb: { failure_rate: 1 } });
  const answer = await call('DynamoDB_20120810.PutItem');
  expect(answer.headers.get('x-amz-crc32')).toBe(String(crc32(await answer.text())));
});

test('calls are counted by service since the last settings', async () => {
  given = await between();
  await putItem();
  await control().behave({ dynamodb: { failure_rate: 1 } });
  await call('DynamoDB_20120810.Query');
  await call('DynamoDB_20120810.PutItem');
  await call('AWSEvents.PutEvents');
  await sendMessage();
  expect(await control().calls()).toEqual({
    dynamodb: { calls: 2, failed: 2 },
    sqs: { calls: 1, failed: 0 },
  });
});

test('one upstream connection serves sequential requests, also around failed ones', async () => {
  given = await between();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask = async () => {
    const outgoing = request(given.proxy.url, {
      ...{ agent, method: 'POST', headers: { 'x-amz-target': 'AmazonSQS.SendMessage' } },
    });
    outgoing.end('{"MessageBody":"a"}');
    const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
    for await (const _ of answer);
    return [answer.statusCode, outgoing.reusedSocket];
  };
  expect(await ask()).toEqual([200, false]);
  await control().behave({ sqs: { failure_rate: 1 } });
  // The first call that fails is throttled.
  expect(await ask()).toEqual([400, true]);
  await control().behave({});
  expect(await ask()).toEqual([200, true]);
  expect(given.connections()).toBe(1);
  agent.destroy();
});

test('a caller that gives up during the delay sends nothing upstream', async () => {
  given = await between();
  await control().behave({ sqs: { delay_ms: 300 } });
  const person = new AbortController();
  const asked = call('AmazonSQS.SendMessage', { signal: person.signal });
  await eventually('the call waits', async () => (await control().calls()).sqs.calls === 1, {
    everyMs: 5,
  });
  person.abort(new Error('enough'));
  await expect(asked).rejects.toThrow('enough');
  // Goes on after the first would have.
  await call('AmazonSQS.DeleteMessage');
  expect(given.seen.map(({ headers }) => headers['x-amz-target'])).toEqual(['AmazonSQS.DeleteMessage']);
});

test('a caller that gives up during the call also disconnects upstream', async () => {
  given = await between(() => {});
  const person = new AbortController();
  const asked = call('AmazonSQS.SendMessage', { signal: person.signal });
  await eventually('the upstream is asked', async () => given.seen.length === 1, { everyMs: 5 });
  person.abort(new Error('enough'));
  await expect(asked).rejects.toThrow('enough');
  await eventually('the request is cut', async () => given.cut() === 1, { everyMs: 5 });
});

test('an answer that breaks off upstream breaks off for the caller', async () => {
  given = await between((response) => {
    response.writeHead(200, { 'content-length': '10' });
    response.write('12345', () => response.destroy());
  });
  const answer = await call('AmazonSQS.SendMessage');
  await expect(answer.text()).rejects.toThrow();
});

test('without an upstream, the caller gets an error and the proxy keeps running', async () => {
  given = await between();
  await given.stopUpstream();
  const answer = await call('AmazonSQS.SendMessage');
  expect([answer.status, await answer.text()]).toEqual([
    502,
    expect.stringMatching(/nothing answers at http:.*ECONNREFUSED/),
  ]);
  expect((await control().calls()).sqs).toEqual({ calls: 1, failed: 0 });
});

test.each([
  ['{"s3":{}}', 'settings: must not have s3'],
  ['{"sqs":{"delay_ms":-1}}', 'sqs.delay_ms: '],
  ['{"sqs":{"failure_rate":2}}', 'sqs.failure_rate: must be at most 1'],
  ['{"sqs":{"delay":5}}', 'sqs: must not have delay'],
  ['[]', 'settings: must be '],
  ['no', 'settings: must be JSON: '],
])('invalid settings %s are refused, and the previous ones stay', async (body, fault) => {
  given = await between();
  await control().behave({ sqs: { failure_rate: 1 } });
  const answer = await fetch(`${given.proxy.url}/_slow-store/settings`, { method: 'PUT', body });
  const { message } = (await answer.json()) as { message: string };
  expect([answer.status, message]).toEqual([400, expect.stringContaining(fault)]);
  await expect(sendMessage()).rejects.toThrow();
});

test('invalid settings are refused with the reason, and an unknown path names the known ones', async () => {
  given = await between();
  await expect(control().behave({ sqs: { failure_rate: 2 } })).rejects.toThrow(/400: sqs.failure_rate: /);
  const answer = await fetch(`${given.proxy.url}/_slow-store/setting`);
  expect([answer.status, await answer.text()]).toEqual([
    404,
    '{"message":"there is PUT /_slow-store/settings and GET /_slow-store/calls"}',
  ]);
});

test('stop closes open requests and the port, and is idempotent', async () => {
  given = await between();
  await control().behave({ sqs: { delay_ms: 60_000 } });
  const waiting = call('AmazonSQS.SendMessage');
  waiting.catch(() => {});
  await eventually('the call waits', async () => (await control().calls()).sqs.calls === 1);
  await given.proxy.stop();
  await expect(waiting).rejects.toThrow();
  await expect(call('AmazonSQS.SendMessage')).rejects.toThrow();
  await given.proxy.stop();
});
