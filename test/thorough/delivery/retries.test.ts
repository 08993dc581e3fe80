import { signal } from '../../../functions/core/signal/signal.ts';
import type { Service } from '../../support/deployed/deployed-stack.ts';
import { happening } from '../../support/deployed/happening.ts';
import { operationalEventsOf } from '../../support/deployed/operational-events-of.ts';
import { onArrival, partner } from '../../support/deployed/own-partner.ts';
import { service } from '../../support/deployed/own-service.ts';
import { stack } from '../../support/deployed/shared-stack.ts';
import { eventually } from '../../support/eventually.ts';
import {
  ACCEPTED,
  barrier,
  type ScriptedPartner,
  scriptedPartner,
} from '../../support/network/scripted-partner.ts';

/** One, and one for each delay of the local stage's schedule (payhooks.config.ts). */
const ALL_ATTEMPTS = 6;

/** The first message of a subscription, with its attempts, as soon as it is as wanted. */
async function message(of: Service, id: string, state: string) {
  const [first] = await of.messages(id, ([newest]) => newest?.state === state);
  return of.message(first?.message_id ?? '');
}

const resent = (id: string, by = service) => by.call('POST', `/messages/${id}/resend`);

describe('while a schedule is used up', () => {
  let tenant: Service;
  let endpoints: ScriptedPartner;
  let told: Awaited<ReturnType<typeof operationalEventsOf>>;
  let ids: Readonly<Record<'taken' | 'forbidden' | 'broken' | 'gone', string>>;
  const statuses: Readonly<Record<string, number>> = { forbidden: 403, broken: 500 };
  let isMended = false;

  beforeAll(async () => {
    tenant = await stack.newService();
    told = await operationalEventsOf(stack, tenant);
    endpoints = await scriptedPartner(({ endpoint }) =>
      isMended ? ACCEPTED : { status: statuses[endpoint] ?? 200 },
    );
    const subscribe = async (name: string) => (await tenant.subscribe(endpoints.url(name))).id;
    ids = {
      taken: await subscribe('taken'),
      forbidden: await subscribe('forbidden'),
      broken: await subscribe('broken'),
      // Nothing listens there.
      gone: (await tenant.subscribe('http://127.0.0.1:1/')).id,
    };
    await stack.publish(happening(tenant));
  });
  afterAll(() => endpoints?.stop());

  test('a resend beside a scheduled retry takes its place, at once', async () => {
    // Its last retry, a quarter of a minute away; the next test counts them all.
    const [waiting] = await tenant.messages(
      ids.forbidden,
      ([newest]) => newest?.state === 'retrying' && newest.attempt_count === ALL_ATTEMPTS - 1,
    );
    const { message_id = '', next_attempt_at: scheduledAt = '' } = waiting ?? {};
    expect(await resent(message_id, tenant)).toMatchObject({
      status: 202,
      body: { state_before: 'retrying' },
    });
    const { attempts } = await message(tenant, ids.forbidden, 'exhausted');
    expect(attempts.at(-1)?.started_at.localeCompare(scheduledAt)).toBe(-1);
  });

  test('200 is one attempt; 403, 500 and no connection are one and the whole schedule, numbered, with one id', async () => {
    const taken = await message(tenant, ids.taken, 'succeeded');
    expect(taken.attempts).toMatchObject([{ attempt: 1, status_code: 200 }]);
    for (const [name, about] of [
      ['forbidden', { failure_class: 'http_status', status_code: 403 }],
      ['broken', { failure_class: 'http_status', status_code: 500 }],
      ['gone', { failure_class: 'connect' }],
    ] as const) {
      const { message_id, attempts, ...ended } = await message(tenant, ids[name], 'exhausted');
      expect(ended).toMatchObject({ state_reason: 'schedule', attempt_count: ALL_ATTEMPTS });
      expect(attempts).toMatchObject(
        Array.from({ length: ALL_ATTEMPTS }, (_, index) => ({ attempt: index + 1, ...about })),
      );
      const arrived = endpoints.arrivals(name);
      expect(new Set(arrived.map((one) => one.message_id))).toEqual(
        new Set(name === 'gone' ? [] : [message_id]),
      );
      expect(arrived.map(({ attempt }) => attempt)).toEqual(
        name === 'gone' ? [] : attempts.map(({ attempt }) => attempt),
      );
      expect(attempts.every((one) => name !== 'gone' || one.status_code === undefined)).toBe(true);
    }
  });

  test('each message that used it up is told of once, after its last attempt', async () => {
    const events = await eventually('three are told of', async () => {
      // One may come twice, with the same id.
      const all = [...new Map((await told()).map((event) => [event.id, event])).values()];
      return all.length >= 3 && all;
    });
    const given = await Promise.all(
      [ids.forbidden, ids.broken, ids.gone].map(
        async (id) => (await message(tenant, id, 'exhausted')).message_id,
      ),
    );
    expect(events).toHaveLength(3);
    expect(new Set(events.map((event) => 'message_id' in event && event.message_id))).toEqual(new Set(given));
    expect(events).toEqual(
      given.map(() =>
        expect.objectContaining({
          type: 'message.exhausted',
          reason: 'schedule',
          attempt_count: ALL_ATTEMPTS,
        }),
      ),
    );
  });

  test('a resend after that is attempt seven of the same message', async () => {
    isMended = true;
    const { message_id } = await message(tenant, ids.broken, 'exhausted');
    expect((await resent(message_id, tenant)).status).toBe(202);
    const { late, attempts } = await message(tenant, ids.broken, 'succeeded');
    expect(late).toBe(true);
    expect(attempts.at(-1)).toMatchObject({ attempt: ALL_ATTEMPTS + 1, status_code: 200, late: true });
    expect(endpoints.arrivals('broken').at(-1)).toMatchObject({
      message_id,
      attempt: ALL_ATTEMPTS + 1,
    });
  });
});

test('of two resends at once, one at least is carried out and on record; one after another, both', async () => {
  const { id } = await service.subscribe(partner.url('twice'));
  await stack.publish(happening(service));
  const { message_id } = await message(service, id, 'succeeded');
  const door = barrier();
  onArrival(async () => {
    await door.opened;
    return ACCEPTED;
  });

  const answers = await Promise.all([resent(message_id), resent(message_id)]);
  // The second is refused if the first waits by then.
  expect([
    [202, 202],
    [202, 409],
  ]).toContainEqual(answers.map(({ status }) => status).sort());
  await eventually('a resend arrives', async () => partner.arrivals('twice').length === 2);
  // One that comes while the other is under way.
  expect([202, 409]).toContain((await resent(message_id)).status);
  door.open();
  const both = await eventually('it has ended', async () => {
    const view = await service.message(message_id);
    return view.state === 'succeeded' && view.attempt_count === partner.arrivals('twice').length && view;
  });
  expect(both.attempt_count).toBeGreaterThanOrEqual(2);
  expect(both.attempt_count).toBeLessThanOrEqual(4);
  expect(both.attempts.map(({ attempt, status_code }) => [attempt, status_code])).toEqual(
    Array.from({ length: both.attempt_count }, (_, index) => [index + 1, 200]),
  );

  // One of those before may have been accepted and still wait.
  await eventually('another is accepted', async () => (await resent(message_id)).status === 202);
  await eventually('one more', async () => {
    const { state, attempt_count } = await service.message(message_id);
    return state === 'succeeded' && attempt_count > both.attempt_count;
  });
});

test('timers that fire before there is a message, during an attempt and before its retry is due neither lose nor hasten nor double the retry', async () => {
  // The delay after the third attempt is long enough to be early in.
  const FAILING = 3;
  const door = barrier();
  onArrival(async ({ attempt }) => {
    if (attempt > FAILING) return ACCEPTED;
    if (attempt === FAILING) await door.opened;
    return { status: 503 };
  });
  const { id } = await service.subscribe(partner.url('raced'));
  const payments = ['pay-raced', 'pay-beside'];
  const fire = () => {
    const key = { service_id: service.serviceId, subscription_id: id, payment_id: 'pay-raced' };
    return stack.put('retryTimers', { kind: 'signal', ...signal(key, 'resume') });
  };
  const failed = () => partner.arrivals('raced').filter(({ status }) => status === 503).length;
  await fire();
  await stack.publish(...payments.map((payment_id) => happening(service, { payment_id })));
  await eventually('their third attempts are under way', async () => partner.arrivals('raced').length === 6);
  await fire();
  door.open();
  await eventually('both have failed', async () => failed() === 6, { everyMs: 10 });
  await fire();
  await fire();

  await service.messages(id, (some) => some.length === 2 && some.every(({ state }) => state === 'succeeded'));
  for (const payment_id of payments) {
    const arrivals = partner.arrivals('raced').filter((one) => one.payment_id === payment_id);
    expect([payment_id, arrivals.map(({ status }) => status)]).toEqual([payment_id, [503, 503, 503, 200]]);
    // Four seconds less a tenth (payhooks.config.ts), and the second by which a timer may be early.
    expect(arrivals[3]?.arrivedAtMs).toBeGreaterThanOrEqual((arrivals[2]?.answeredAtMs ?? 0) + 2_600);
  }
});
