import type { SubscriptionName } from '../../../functions/adapters/dynamodb/subscriptions/subscription-reader.ts';
import type { AttemptResult } from '../../../functions/core/attempt/attempt.ts';
import type { Mail } from '../../../functions/core/notices/mail.ts';
import type { NoticeBook } from '../../../functions/core/notices/notice-book.ts';
import { instant } from '../../../functions/core/text/instant.ts';
import { followLink } from '../../../functions/notices/link-page.ts';
import { lookAtAll, lookAtEach } from '../../../functions/notices/notices.ts';
import type { NoticesPorts } from '../../../functions/notices/ports.ts';
import { readEvents } from '../../../functions/notices/read-events.ts';
import { subscription } from '../../support/builders.ts';

const NOW = Date.parse('2026-11-02T08:00:00.000Z');
const CONTACT = 'ops@shop.example';

/** A stage in memory with one subscription. `asks`: how often an address may be asked. */
function world({ asks = 3 } = {}) {
  const kept = new Map<string, NoticeBook>();
  const mails: Mail[] = [];
  const told: string[] = [];
  const posts: Parameters<NoticesPorts['post']>[0][] = [];
  const state = {
    nowMs: NOW,
    asks,
    takes: () => {},
    answer: async (): Promise<AttemptResult> => ({ duration_ms: 1, status_code: 204 }),
    subscription: subscription({ contact: CONTACT }) as ReturnType<typeof subscription> | undefined,
  };
  const ports: NoticesPorts = {
    book: async (id) => kept.get(id),
    async *books() {
      yield [...kept.values()];
    },
    async replace(before, after) {
      if (kept.get(after.subscription_id)?.revision !== before?.revision) {
        return false;
      }
      kept.set(after.subscription_id, after);
      return true;
    },
    async remove({ subscription_id }: SubscriptionName) {
      kept.delete(subscription_id);
    },
    mayAsk: async () => state.asks-- > 0,
    subscription: async () => state.subscription,
    async *contacted() {
      const { contact, notices_url } = state.subscription ?? {};
      yield contact === undefined && notices_url === undefined ? [] : [state.subscription!];
    },
    async send(mail) {
      state.takes();
      mails.push(mail);
    },
    async post(post) {
      posts.push(post);
      return state.answer();
    },
    linkKey: async () => Buffer.alloc(32, 1),
    linkUrl: 'https://api.example/v1/notices/link',
    observer: {
      sent: () => {},
      unsent: () => told.push('unsent'),
      dropped: (_, __, why) => told.push(why),
      internalError: (error) => told.push(String(error)),
    },
    now: () => state.nowMs,
  };
  const request = (method: string, token: string) =>
    followLink({ queryStringParameters: { token }, requestContext: { http: { method } } }, ports);
  return {
    ...{ kept, mails, posts, told, state, ports, request },
    look: () => lookAtAll(ports),
    tokenOf: (index: number) =>
      new URL(/https:\S+/.exec(mails[index]?.text ?? '')![0]).searchParams.get('token')!,
  };
}

const DISABLED = { state: 'disabled', disabled_at: instant(NOW), disabled_reason: 'gone' } as const;

test('asks, waits for the POST of the page, tells once, and stops when it is asked to', async () => {
  const { state, mails, look, request, tokenOf, kept } = world();
  await look();
  await look();
  expect(mails.map(({ to, subject }) => [to, subject])).toEqual([
    [CONTACT, 'Do you want mails about this webhook subscription? (sub_1)'],
  ]);
  const page = await request('GET', tokenOf(0));
  expect(page.body).toContain('<form method="post"><button>Yes, write to me</button></form>');
  expect(page.headers).toMatchObject({
    'content-security-policy': expect.stringContaining("default-src 'none'"),
    'referrer-policy': 'no-referrer',
  });
  expect(kept.get('sub_1')?.contact?.state).toBe('asked');
  expect(await request('POST', tokenOf(0))).toMatchObject({ statusCode: 200 });

  state.subscription = subscription({ contact: CONTACT, ...DISABLED });
  await look();
  await look();
  expect(mails.slice(1).map(({ subject }) => subject)).toEqual([
    'Your webhook subscription was disabled (sub_1)',
  ]);
  const shown = await request('GET', tokenOf(1));
  expect(shown.body).toContain('<li>2026-11-02 at 08:00 UTC: Your webhook subscription was disabled</li>');
  expect((await request('GET', tokenOf(0))).body).not.toContain('Sent so far');
  expect(await request('POST', tokenOf(1))).toMatchObject({ statusCode: 200 });
  state.subscription = subscription({ contact: CONTACT, ...DISABLED, disabled_at: instant(NOW + 1) });
  await look();
  expect(mails).toHaveLength(2);
  // A link that was confirmed once does not bring the mails back for ever: it expires.
  state.nowMs += 8 * 86_400_000;
  expect(await request('POST', tokenOf(0))).toMatchObject({ statusCode: 410 });
});

test('what SES refuses is tried again later, and a mail that was sent never is', async () => {
  const { state, mails, told, look, request, tokenOf } = world();
  await look();
  await request('POST', tokenOf(0));
  state.subscription = subscription({ contact: CONTACT, ...DISABLED });
  state.takes = () => {
    throw new Error('throttled');
  };
  await look();
  await look();
  expect([mails.length, told]).toEqual([1, ['unsent']]);
  state.takes = () => {};
  state.nowMs += 11 * 60_000;
  await Promise.all([look(), look(), look()]);
  expect(mails).toHaveLength(2);
});

const NOTICES_URL = 'https://shop.example/notices';
const unheard = (over: object = {}) => {
  const { contact: _, ...others } = subscription({ notices_url: NOTICES_URL, ...DISABLED, ...over });
  return others;
};

test('a URL gets each notice once, as a signed webhook within five seconds', async () => {
  const { state, posts, mails, look, kept } = world();
  state.subscription = unheard();
  await look();
  await look();
  expect(posts).toMatchObject([
    {
      ...{ url: NOTICES_URL, live: false, deadlineMs: 5_000 },
      headers: { 'webhook-signature': expect.stringMatching(/^v1a,/), 'webhook-attempt': '1' },
      body: expect.stringContaining('"kind":"subscription.disabled"'),
    },
  ]);
  expect(mails).toEqual([]);
  expect(kept.get('sub_1')?.sent).toMatchObject([{ by: 'webhook', result: 'sent' }]);
});

test('a URL that fails is tried five times within three hours, tells nobody of itself, and then it is on record', async () => {
  const { state, posts, told, look, kept } = world();
  state.subscription = unheard();
  state.answer = async () => ({ duration_ms: 1, status_code: 500, failure_class: 'http_status' });
  for (let minute = 0; minute < 24 * 60; minute += 5) {
    await look();
    state.nowMs += 5 * 60_000;
  }
  expect(posts.map(({ headers }) => headers['webhook-attempt'])).toEqual(['1', '2', '3', '4', '5']);
  expect(new Set(posts.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  expect(told).toEqual([...Array(5).fill('unsent'), 'tried too often']);
  expect(kept.get('sub_1')?.sent).toMatchObject([{ by: 'webhook', result: 'given_up' }]);
});

test('a URL that hangs delays no mail, and others are posted meanwhile', async () => {
  const { state, posts, mails, look, request, tokenOf } = world();
  await look();
  await request('POST', tokenOf(0));
  state.subscription = subscription({ contact: CONTACT, notices_url: NOTICES_URL, ...DISABLED });
  let hangUp = () => {};
  state.answer = () =>
    new Promise((resolve) => {
      hangUp = () => resolve({ duration_ms: 5_000, failure_class: 'timeout' });
    });
  const looking = look();
  while (posts.length === 0) {
    await new Promise(setImmediate);
  }
  expect(mails.map(({ subject }) => subject)).toContain('Your webhook subscription was disabled (sub_1)');
  hangUp();
  await looking;
});

test('an address that was asked often enough is not asked again', async () => {
  const { mails, told, look } = world({ asks: 0 });
  await look();
  await look();
  expect([mails, told]).toEqual([[], ['asked too often']]);
});

test('a subscription without a contact, or a deleted one, is forgotten; an event of it tells nobody', async () => {
  const { state, kept, look, ports, mails } = world();
  await look();
  state.subscription = undefined;
  await look();
  expect(kept.size).toBe(0);
  await lookAtEach([{ service_id: 'bakery', subscription_id: 'sub_1', events: [] }], ports);
  expect(mails).toHaveLength(1);
});

test('a link that is not ours, of another contact, or asked by another method changes nothing', async () => {
  const { state, look, request, tokenOf, kept } = world();
  await look();
  const token = tokenOf(0);
  const status = async (method: string, given: string) => (await request(method, given)).statusCode;
  expect([
    await status('POST', ''),
    await status('POST', `${token}x`),
    await status('DELETE', token),
  ]).toEqual([400, 400, 405]);
  state.subscription = subscription({ contact: 'other@shop.example' });
  await look();
  expect([await status('GET', token), await status('POST', token)]).toEqual([410, 410]);
  expect(kept.get('sub_1')?.contact).toMatchObject({ address: 'other@shop.example', state: 'asked' });
});

test('events are gathered by subscription, and what is none is named', () => {
  const event = (subscription_id: string) => ({
    ...{ v: 1, id: 'op_1', type: 'circuit.opened', at: instant(NOW), service_id: 'bakery', subscription_id },
    reason: 'payments_failed',
  });
  const records = [event('sub_1'), event('sub_2'), event('sub_1'), { type: 'nonsense' }].map(
    (body, index) => ({
      messageId: `r${index}`,
      body: JSON.stringify(body),
    }),
  );
  const { happened, unreadable } = readEvents([...records, { messageId: 'r4', body: '{' }]);
  expect(happened.map(({ subscription_id, recordIds }) => [subscription_id, recordIds])).toEqual([
    ['sub_1', ['r0', 'r2']],
    ['sub_2', ['r1']],
  ]);
  expect(unreadable).toEqual(['r3', 'r4']);
});
