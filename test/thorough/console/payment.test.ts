import type { Timeline } from '../../../console/payments/timeline.ts';
import { problem } from '../../../functions/core/api/problem.ts';
import { looking } from '../../support/browser/own-viewer.ts';

let timeline: Timeline;

beforeAll(async () => {
  const { id } = await looking.partner.subscribe(await looking.receiver.endpoint('lanes'), {
    description: 'my shop',
  });
  const at = (seconds: number) => new Date(Date.now() + seconds * 1_000).toISOString();
  timeline = {
    payment_id: 'pay-1',
    sequence: {
      next: 3,
      next_awaited_until: at(600),
      early: [{ sequence: 4, event_id: 'evt-4', since: at(-90), waits_until: at(600) }],
      missing: [1],
      sent: [],
    },
    messages: [
      {
        message_id: 'msg_3',
        subscription_id: id,
        event_type: 'card_payment_captured',
        state: 'parked',
        attempt_count: 0,
        waits_for: { reason: 'behind_earlier', until: at(300), message_id: 'msg_1' },
        entries: [
          { at: at(-60), kind: 'occurred' },
          { at: at(-59), kind: 'held' },
        ],
      },
      {
        message_id: 'msg_2',
        subscription_id: 'sub_deleted',
        event_type: 'card_payment_started',
        state: 'succeeded',
        attempt_count: 1,
        entries: [
          { at: at(-90), kind: 'occurred' },
          { at: at(-89), kind: 'attempted', attempt: 1, status_code: 204, duration_ms: 12 },
          { at: at(-88), kind: 'ended' },
        ],
      },
      {
        message_id: 'msg_1',
        subscription_id: id,
        event_type: 'card_payment_started',
        state: 'retrying',
        attempt_count: 1,
        waits_for: { reason: 'next_attempt', until: at(300) },
        entries: [
          { at: at(-90), kind: 'occurred' },
          { at: at(-89), kind: 'held', until: at(-80) },
          { at: at(-80), kind: 'attempted', attempt: 1, failure_class: 'timeout', duration_ms: 10_000 },
        ],
      },
    ],
  };
});

/** The answers of the API are given here: what is tested is how the page shows each of them. */
async function opened(colorScheme: 'light' | 'dark', width: number) {
  const console = await looking.open('#/payments', { colorScheme, viewport: { width, height: 844 } });
  await console.page.route(/\/v1\/payments\//, (route) =>
    route.request().url().includes('pay-1')
      ? route.fulfill({ json: timeline })
      : route.fulfill({ status: 404, json: problem('not-found', 'This service has no payment.') }),
  );
  return console;
}

test('subscriptions of the same name are told apart by their ids', async () => {
  const { partner, receiver } = looking;
  const [one, other] = await Promise.all(
    ['twin', 'sibling'].map(async (name) =>
      partner.subscribe(await receiver.endpoint(name), { description: 'twins' }),
    ),
  );
  const console = await looking.open('#/subscriptions');
  await console.shows(`twins (${one?.id})`);
  await console.shows(`twins (${other?.id})`);
  const [message] = timeline.messages;
  const ofTwin = { ...timeline, messages: [{ ...message, subscription_id: one?.id }] };
  await console.page.route(/\/v1\/payments\//, (route) => route.fulfill({ json: ofTwin }));
  await console.go('#/payments/pay-1');
  await console.page.getByRole('heading', { name: `twins (${one?.id})` }).waitFor();
  await console.close();
  await Promise.all([one, other].map((twin) => partner.call('DELETE', `/subscriptions/${twin?.id}`)));
});

test.each([
  ['light', 1200],
  ['dark', 390],
] as const)(
  'a payment is found by its id and shown as lanes and in words, in %s, %d pixels wide',
  async (scheme, width) => {
    const console = await opened(scheme, width);
    const { page } = console;
    await page.getByLabel('Payment id').fill(' pay-1 ');
    await page.getByRole('button', { name: 'Show' }).click();
    await page.getByRole('img', { name: '3 messages to 2 subscriptions' }).waitFor();
    expect(page.url()).toContain('#/payments/pay-1');
    await page.getByText('my shop').first().waitFor();
    await page.getByText('sub_deleted (deleted)').first().waitFor();
    await page.getByText('The last attempt failed. Next try in').waitFor();
    await page.locator('.lanes').getByText('behind started').waitFor();
    await page
      .getByText('It waits behind card_payment_started. The next try of that one in')
      .getByRole('link', { name: 'card_payment_started' })
      .and(page.locator('[href="#/messages/msg_1"]'))
      .waitFor();
    await page.getByText('attempt 1: no answer in time after 10 s').waitFor();
    await page.getByText('Event 3 of this payment has not come. Behind it wait: 4.').waitFor();
    expect(await page.locator('.attempt.bad').count()).toBe(2);
    expect(await page.locator('.lanes').getByText('+30 s').count()).toBe(1);
    expect(await console.broken()).toEqual([]);
    await console.fits();
  },
);

test('messages beyond the first page come when they are asked for, and stay', async () => {
  const console = await opened('light', 1200);
  const { page } = console;
  const page1 = { ...timeline, messages: timeline.messages.slice(0, 2), next_cursor: 'older' };
  const page2 = { ...timeline, messages: timeline.messages.slice(2) };
  await page.route(/\/v1\/payments\/pay-long/, (route) =>
    route.fulfill({ json: route.request().url().includes('cursor=older') ? page2 : page1 }),
  );
  await console.go('#/payments/pay-long');
  await page.getByRole('img', { name: '2 messages to 2 subscriptions' }).waitFor();
  await page.getByRole('button', { name: 'Show older messages' }).click();
  await page.getByRole('img', { name: '3 messages to 2 subscriptions' }).waitFor();
  await page.getByRole('button', { name: 'Show older messages' }).waitFor({ state: 'detached' });
  await page.waitForResponse(/cursor=older/);
  expect(await page.getByRole('img', { name: '3 messages to 2 subscriptions' }).count()).toBe(1);
});
