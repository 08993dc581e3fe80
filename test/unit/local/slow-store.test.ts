import { setTimeout as delay } from 'node:timers/promises';
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { delayStore, type SlowStore, startSlowStore } from '../../../local/slow-store.ts';
import { type Loopback, loopback } from '../../support/network/dead-address.ts';

let emulator: Loopback;
let store: SlowStore;
let hosts: (string | undefined)[] = [];
let cut = 0;
beforeEach(async () => {
  hosts = [];
  cut = 0;
  emulator = await loopback((incoming, answer) => {
    hosts.push(incoming.headers.host);
    incoming.once('close', () => {
      cut += answer.writableFinished ? 0 : 1;
    });
    if (incoming.url === '/never') return;
    answer.setHeader('x-asked', `${incoming.method} ${incoming.url}`);
    incoming.pipe(answer);
  });
  store = await startSlowStore(emulator.url);
});
afterEach(async () => {
  await store.stop();
  await emulator.stop();
});

async function tookMs(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

test('requests and answers pass unchanged, with the host that the signature covers', async () => {
  const body = 'ü'.repeat(1_000_000);
  const answer = await fetch(`${store.url}/a?b=%2F`, { method: 'POST', body });
  expect(answer.headers.get('x-asked')).toBe('POST /a?b=%2F');
  expect(await answer.text()).toBe(body);
  expect(hosts).toEqual([new URL(store.url).host]);
});

test('each call takes as much longer as was said last', async () => {
  const client = new DynamoDBClient({
    region: 'eu-west-1',
    credentials: { accessKeyId: 'AKIA', secretAccessKey: 'secret' },
    endpoint: store.url,
  });
  const getItem = () => client.send(new GetItemCommand({ TableName: 'keys', Key: { id: { S: 'a' } } }));
  await delayStore(store.url, 300);
  expect(await tookMs(getItem)).toBeGreaterThan(295);
  await delayStore(store.url, 0);
  await getItem();
  client.destroy();
  expect(hosts).toHaveLength(2);
});

test('who gives up is not forwarded any more', async () => {
  await expect(fetch(`${store.url}/never`, { signal: AbortSignal.timeout(100) })).rejects.toThrow();
  while (cut === 0) await delay(5);
  await delayStore(store.url, 60_000);
  await expect(fetch(store.url, { signal: AbortSignal.timeout(50) })).rejects.toThrow();
  expect(hosts).toHaveLength(1);
});

test('without an emulator a call breaks off, and after stop there is no proxy', async () => {
  await emulator.stop();
  await expect(fetch(store.url)).rejects.toThrow();
  await store.stop();
  await expect(delayStore(store.url, 1)).rejects.toThrow();
});
