import { MAX_SUBSCRIPTIONS_PER_SERVICE } from '../../../functions/core/subscription/subscription.ts';
import { drip } from '../../integration/hostile/listeners.ts';
import { type GoodNeighbour, goodNeighbour } from '../../integration/hostile/neighbour.ts';
import type { Answer, Service } from '../../support/deployed/deployed-stack.ts';
import { happening } from '../../support/deployed/happening.ts';
import { stack } from '../../support/deployed/shared-stack.ts';
import { eventually } from '../../support/eventually.ts';
import { type RawServer, rawServer } from '../../support/network/raw-server.ts';
import { type ScriptedPartner, scriptedPartner } from '../../support/network/scripted-partner.ts';

/**
 * Fewer than by default, because the emulator handles only some ten a second; more than forty of them are
 * pings.
 */
const REQUESTS_PER_MINUTE = 130;
/** Concurrent senders. */
const SENDERS = 4;
const HANGING = 14;
const FLOODING = 2;
/** The limit of a service, twice, because a new minute may begin in between. */
const MAX_PINGS = 2 * 20;

/** Almost as much as we read of an answer, then a little now and again. */
const INTERIM = 'HTTP/1.1 103 Early Hints\r\nlink: </>\r\n\r\n';
const FLOOD = INTERIM.repeat(60_000 / INTERIM.length);

let neighbour: GoodNeighbour;
let refusing: ScriptedPartner;
let hanging: RawServer;
let flooding: RawServer;

beforeAll(async () => {
  neighbour = await goodNeighbour(stack);
  // Every message ends with its first attempt, so it can be resent at once.
  refusing = await scriptedPartner(() => ({
    status: 400,
    headers: { 'webhook-delivery': 'abort-message' },
  }));
  hanging = await rawServer();
  flooding = await rawServer((socket) => drip(socket, FLOOD, INTERIM, 250));
});
afterAll(() => Promise.all([neighbour?.stop(), refusing?.stop(), hanging?.close(), flooding?.close()]));

/** The subscriptions of a malicious partner; there is room for one more. */
async function subscribed(service: Service) {
  // These want none of the events published here.
  const unwanting = () =>
    service.subscribe(`http://127.0.0.1:${hanging.port}/`, {
      timeout_ms: 30_000,
      event_types: ['card_payment_refunded'],
    });
  const pinged: string[] = [];
  while (pinged.length < HANGING) pinged.push((await unwanting()).id);
  for (let count = 0; count < FLOODING; count += 1) {
    await service.subscribe(`http://127.0.0.1:${flooding.port}/`, { timeout_ms: 30_000 });
  }
  return {
    pinged,
    refused: (await service.subscribe(refusing.url('refusing'), { live: true })).id,
    changed: (await unwanting()).id,
    rotated: (await unwanting()).id,
  };
}

test('a partner who exhausts its token in every possible way affects nobody else', async () => {
  // A second token of its service, for this test's own requests.
  const service = await stack.newService();
  const { call } = await stack.newService(service.serviceId, REQUESTS_PER_MINUTE);
  const { pinged, refused, changed, rotated } = await subscribed(service);
  expect(await service.call('GET', '/subscriptions')).toMatchObject({
    body: { subscriptions: { length: MAX_SUBSCRIPTIONS_PER_SERVICE - 1 } },
  });
  await stack.publish(...Array.from({ length: 10 }, () => happening(service, { live: true })));
  const ended = await service.messages(
    refused,
    (all) => all.length === 10 && all.every(({ state }) => state === 'exhausted'),
  );

  const answers: Answer[] = [];
  const send = async (method: string, path: string, body?: object) => {
    const answer = await call(method, path, body);
    answers.push(answer);
    return answer;
  };
  const are = (type: string) =>
    answers.filter(({ body }) => body?.type === `urn:payhooks:problem:${type}`).length;
  const since = new Date(Date.now() - 3_600_000).toISOString();
  const subscription = { callback_url: refusing.url('more'), event_types: ['*'], live: false };
  const of = (id: string) => `/subscriptions/${id}`;

  let pings = 0;
  const ping = async (turn: number) => {
    const { status } = await send('POST', `${of(pinged[turn % HANGING]!)}/ping`);
    pings += status === 202 ? 1 : 0;
  };
  /** Repeats each in turn. */
  const acts: readonly ((turn: number) => Promise<unknown>)[] = [
    ping,
    async () => {
      const { body } = await send('POST', '/subscriptions', subscription);
      await send('POST', '/subscriptions', subscription);
      await send('DELETE', of(body.subscription_id));
    },
    ping,
    () => send('POST', `${of(refused)}/recoveries`, { since }),
    ping,
    (turn) => send('POST', `/messages/${ended[turn % ended.length]?.message_id}/resend`),
    ping,
    async (turn) => {
      await send('PATCH', of(changed), { timeout_ms: 1_000 + turn, rate_limit: 1 + (turn % 100) });
      await send('POST', `${of(changed)}/pause`);
      await send('POST', `${of(changed)}/enable`);
    },
    ping,
    async () => {
      const { body } = await send('POST', `${of(rotated)}/secrets`);
      const [, former] = body.signing_secrets ?? [];
      await send('DELETE', `${of(rotated)}/secrets/${former?.secret_id}`);
    },
    ping,
    () => send('GET', `${of(refused)}/messages?limit=100&state=exhausted`),
  ];
  await neighbour.publishDuring(async () => {
    await stack.publish(...Array.from({ length: 5 }, () => happening(service)));
    let turn = 0;
    const sendOn = async () => {
      while (are('too-many-requests') === 0) {
        turn += 1;
        await acts[turn % acts.length]!(turn);
      }
    };
    await Promise.all(Array.from({ length: SENDERS }, sendOn));
    await eventually('all pings hang', async () => hanging.requests.length >= pings);
  });

  expect(pings).toBeLessThanOrEqual(MAX_PINGS);
  expect(hanging.requests).toHaveLength(pings);
  expect(flooding.requests.length).toBeGreaterThan(0);
  expect({
    pings: are('too-many-pings') > 0,
    subscriptions: are('too-many-subscriptions') > 0,
    faults: answers.filter(({ status }) => status >= 500).map(({ body }) => body),
  }).toEqual({ pings: true, subscriptions: true, faults: [] });
  await neighbour.expectUnharmed();
});
