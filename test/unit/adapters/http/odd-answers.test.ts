import { setImmediate as nextTurn } from 'node:timers/promises';
import { httpPost } from '../../../../functions/adapters/http/http-post.ts';
import { parseCallbackUrlRules } from '../../../../functions/core/subscription/callback-url.ts';
import { ODD_ANSWERS, type OddAnswer } from '../../../support/network/odd-answers.ts';
import { type RawServer, rawServer } from '../../../support/network/raw-server.ts';

const post = httpPost({ rules: parseCallbackUrlRules('{"allowLoopback": true}') });
const duration_ms = expect.any(Number);

let server: RawServer;
afterEach(() => server.close());

async function receiver({ bytes, closes }: OddAnswer): Promise<() => ReturnType<typeof post>> {
  server = await rawServer((socket) => {
    socket.write(bytes, 'latin1');
    if (closes) {
      socket.end();
    }
  });
  const url = `http://127.0.0.1:${server.port}/`;
  return () => post({ live: false, url, headers: {}, body: '{}', deadlineMs: 5_000 });
}

test.each(Object.entries(ODD_ANSWERS))('%s, twice', async (_what, odd) => {
  const { bytes, outcome } = odd;
  const send = await receiver(odd);

  // The second may come on the connection of the first, and must not meet anything left of it.
  for (let attempt = 1; attempt <= 2; attempt += 1) {
    const result = await send();
    if ('body' in outcome) {
      expect(result).toEqual({
        status_code: Number(/ (\d{3})/.exec(bytes.slice(bytes.lastIndexOf('HTTP/')))?.[1]),
        response_body: outcome.body,
        ...(bytes.includes('Retry-After') && { response_headers: { 'retry-after': '1' } }),
        duration_ms,
      });
    } else {
      expect(result).toMatchObject({ failure_class: 'connect', failure_reason: outcome.refused });
    }
    await nextTurn();
  }
});

test.each([
  ['204 with a length', 2],
  ['chunks and a length', 2],
  ['the length twice', 1],
  ['HTTP/1.0 that keeps alive', 1],
])('where more may follow, the connection is not used again: %s', async (what, connections) => {
  const send = await receiver(ODD_ANSWERS[what]!);

  await send();
  await nextTurn();
  await send();

  expect([server.requests.length, server.connections()]).toEqual([2, connections]);
});
