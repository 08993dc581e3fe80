import { setImmediate as nextTurn } from 'node:timers/promises';
import { httpPost } from '../../functions/adapters/http/http-post.ts';
import { parseCallbackUrlRules } from '../../functions/core/subscription/callback-url.ts';
import { type RawServer, rawServer, response } from '../support/network/raw-server.ts';

/** Longer than a connection is kept. */
const FROZEN_MS = 4_100;

let server: RawServer;
afterEach(() => server.close());

test('a connection that was idle while Lambda had frozen the environment is not used again', async () => {
  server = await rawServer((socket) => socket.write(response('200 OK')));
  const post = httpPost({ rules: parseCallbackUrlRules('{"allowLoopback": true}') });
  const send = () =>
    post({
      ...{ live: false, url: `http://127.0.0.1:${server.port}/`, headers: {}, body: '{}', deadlineMs: 5_000 },
    });
  await send();
  await nextTurn();
  // No timer goes off, and the other end does not close: it may be gone, and its farewell lost.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, FROZEN_MS);
  // An invocation reads tables before it posts.
  await nextTurn();
  expect((await send()).status_code).toBe(200);
  expect([server.requests.length, server.connections()]).toEqual([2, 2]);
});
