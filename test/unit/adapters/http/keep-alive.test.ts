import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { httpPost } from '../../../../functions/adapters/http/http-post.ts';
import { parseCallbackUrlRules } from '../../../../functions/core/subscription/callback-url.ts';
import { type RawServer, rawServer, response } from '../../../support/network/raw-server.ts';

const post = httpPost({ rules: parseCallbackUrlRules('{"allowLoopback": true}') });

async function sendTo(port: number): Promise<void> {
  const url = `http://127.0.0.1:${port}/hooks`;
  const { status_code } = await post({ live: false, url, headers: {}, body: '{}', deadlineMs: 5_000 });
  expect(status_code).toBe(200);
}

describe('of a server that', () => {
  let server: RawServer;

  // Connections are real.
  beforeEach(() => jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] }));
  afterEach(() => {
    jest.useRealTimers();
    return server.close();
  });

  test.each<[string, string[], number]>([
    ['does not say how long it keeps one', [], 4_000],
    ['keeps one for 5 s', ['Keep-Alive: timeout=5, max=100'], 3_000],
    ['keeps one for 20 s', ['Keep-Alive: timeout=20'], 18_000],
    ['keeps one for an hour', ['Keep-Alive: timeout=3600'], 60_000],
  ])('%s, an idle connection is reused in time, and closed before', async (_, headers, keptMs) => {
    server = await rawServer((socket) => socket.write(response('200 OK', '', headers)));
    await sendTo(server.port);
    await jest.advanceTimersByTimeAsync(keptMs - 1);
    await sendTo(server.port);
    expect(server.connections()).toBe(1);
    await jest.advanceTimersByTimeAsync(keptMs);
    await server.idle();
    await sendTo(server.port);
    expect(server.connections()).toBe(2);
  });

  test('keeps one for two seconds, none is reused', async () => {
    server = await rawServer((socket) => socket.write(response('200 OK', '', ['Keep-Alive: timeout=2'])));
    await sendTo(server.port);
    await server.idle();
    await sendTo(server.port);
    expect(server.connections()).toBe(2);
  });
});

/** A server in a thread of its own, whose only connection ends when it is told to. */
const ENDING_SERVER = `
const { createServer } = require('node:net');
const { parentPort, workerData } = require('node:worker_threads');
let connections = 0, last;
const server = createServer((socket) => {
  connections += 1;
  last = socket.on('error', () => {}).on('data', () => socket.write(${JSON.stringify(response('200 OK', '', ['Keep-Alive: timeout=60']))}));
});
server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
parentPort.on('message', (asked) => asked === 'connections?' ? parentPort.postMessage(connections) : last.end(() => {
  Atomics.store(workerData, 0, 1);
  Atomics.notify(workerData, 0);
}));`;

test('one that ended while our process was stopped, as Lambda stops it between invocations, is not reused', async () => {
  const hasEnded = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(ENDING_SERVER, { eval: true, workerData: hasEnded });
  try {
    const [port] = await once(worker, 'message');
    await sendTo(port);
    worker.postMessage('end');
    expect(Atomics.wait(hasEnded, 0, 0, 5_000)).not.toBe('timed-out');
    await sendTo(port);
    worker.postMessage('connections?');
    expect(await once(worker, 'message')).toEqual([2]);
  } finally {
    await worker.terminate();
  }
});
