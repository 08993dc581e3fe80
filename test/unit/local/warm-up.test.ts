import { text } from 'node:stream/consumers';
import { request } from 'undici';
import type { PutEvents } from '../../../cli/publisher/publish.ts';
import type { SubscriptionView } from '../../../functions/core/subscription/subscription-view.ts';
import { warmUp } from '../../../local/warm-up.ts';
import { startWarmUpEndpoint } from '../../../local/warm-up-endpoint.ts';
import { OWN_TYPES } from '../../support/own-types.ts';

const signal = new AbortController().signal;

/** The HTTP API as far as warming up needs it; `calls` says what was asked, in this order. */
function api() {
  const calls: string[] = [];
  const view = { subscription_id: 'sub_1', signing_secret: 'whsec_1' } as SubscriptionView & {
    signing_secret: string;
  };
  return {
    calls,
    subscribe: async () => {
      calls.push('subscribe');
      return view;
    },
    messages: async (id: string) => {
      calls.push(`messages of ${id}`);
      return { messages: [] };
    },
    unsubscribe: async (id: string) => {
      calls.push(`unsubscribe ${id}`);
    },
  };
}

test('each wave of payments waits for the one before, and in the end nothing is subscribed', async () => {
  const asked = api();
  const ids = new Set<string>();
  const underWay: number[] = [];
  let seen = 0;
  const putEvents: PutEvents = async (events) => {
    for (const { event_id } of events) ids.add(event_id);
    underWay.push(ids.size - seen);
    setTimeout(() => {
      seen += events.length;
    }, 1);
    return [];
  };
  const endpoint = { url: 'http://localhost:1/', seen: () => seen, accepted: () => seen };

  await warmUp(asked, putEvents, endpoint, { types: OWN_TYPES.types, signal });

  expect(ids.size).toBe(300);
  expect(Math.max(...underWay)).toBe(10);
  expect(asked.calls).toEqual(['subscribe', 'messages of sub_1', 'unsubscribe sub_1']);
});

test('what does not get warm in time is left cold', async () => {
  const asked = api();
  let put = 0;
  const putEvents: PutEvents = async (events) => {
    put += events.length;
    return [];
  };
  const endpoint = { url: 'http://localhost:1/', seen: () => 0, accepted: () => 0 };

  await warmUp(asked, putEvents, endpoint, { types: OWN_TYPES.types, signal, giveUpAfterMs: 30 });

  expect(put).toBe(10);
  expect(asked.calls.at(-1)).toBe('unsubscribe sub_1');
});

test('the endpoint refuses the first attempts of five messages, and takes everything else', async () => {
  const endpoint = await startWarmUpEndpoint();
  const post = async (id: number) => {
    const { statusCode, body } = await request(endpoint.url, {
      method: 'POST',
      headers: { 'webhook-id': `msg_${id}` },
      body: '{}',
    });
    await text(body);
    return statusCode;
  };
  try {
    const first = [];
    for (let id = 0; id < 8; id += 1) first.push(await post(id));
    expect(first).toEqual([503, 503, 503, 503, 503, 204, 204, 204]);
    expect([endpoint.seen(), endpoint.accepted()]).toEqual([8, 3]);

    expect([await post(0), await post(4)]).toEqual([204, 204]);
    expect([endpoint.seen(), endpoint.accepted()]).toEqual([8, 5]);
  } finally {
    endpoint.stop();
  }
});
