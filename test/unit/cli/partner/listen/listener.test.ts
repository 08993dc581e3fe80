import pc from 'picocolors';
import { listen } from '../../../../../cli/partner/listen/listener.ts';
import { TARGET } from '../../../../../cli/partner/listen/target.ts';
import { forwardedLine } from '../../../../../cli/partner/text/forwarded-line.ts';
import type { Fed } from '../../../../../functions/api/feed/take-messages.ts';

const fed = (over: Partial<Fed>): Fed => ({
  lease_id: `lea_${over.message_id}`,
  leased_until: '2026-11-14T10:01:00.000Z',
  message_id: 'msg_1',
  payment_id: 'pay_1',
  event_type: 'card_payment_captured',
  attempt: 1,
  headers: { 'webhook-id': 'msg_1' },
  body: '{"amount":1}',
  ...over,
});

/** Listens until the feed has been asked so often. */
async function listened(pages: readonly (readonly Fed[])[], isOnce = false, nowMs = 0) {
  const asked: string[] = [];
  const lines: string[] = [];
  let left = [...pages];
  const stop = new Error('Ctrl-C');
  const run = listen({
    async api(method, path, { body } = {}) {
      if (method === 'GET') {
        const [page = [], ...rest] = left;
        left = rest;
        return { messages: page };
      }
      asked.push(`${method} ${path} ${body === undefined ? '' : JSON.stringify(body)}`.trim());
      return {
        results: ((body as { results?: object[] })?.results ?? []).map(() => ({ state: 'recorded' })),
      };
    },
    forward: async (_, { body }) =>
      body === 'down' ? { failure: 'Nothing answers.' } : { status: body === 'busy' ? 503 : 204 },
    subscriptionId: 'sub_1',
    url: 'http://localhost:3000/',
    isOnce,
    async wait() {
      await new Promise((resolve) => setImmediate(resolve));
      if (left.length === 0 && asked.length > 0) {
        throw stop;
      }
    },
    now: () => nowMs,
    tell: (one) => lines.push(forwardedLine(one, 0, pc.createColors(false))),
  });
  await expect(run).rejects.toBe(stop);
  return { asked, lines };
}

test('each event is forwarded, shown in a line, and its answer reported', async () => {
  const { asked, lines } = await listened([
    [fed({}), fed({ message_id: 'msg_2', payment_id: 'pay_2', body: 'busy', attempt: 2 })],
    [],
  ]);
  expect(lines).toEqual([
    '00:00:00.000 card_payment_captured    pay_1                ✓ delivered  204, 0 ms',
    '00:00:00.000 card_payment_captured    pay_2                ↻ failed     503, 0 ms      attempt 2',
  ]);
  expect(asked).toEqual([
    'POST /subscriptions/sub_1/feed/results {"results":[{"lease_id":"lea_undefined","outcome":"delivered","status_code":204},{"lease_id":"lea_msg_2","outcome":"failed","status_code":503,"reason":"answered 503"}]}',
  ]);
});

test('a laptop whose clock is a day off forwards and reports the same', async () => {
  const pages = [[fed({}), fed({ message_id: 'msg_2', payment_id: 'pay_2', body: 'busy' })], []];
  const { asked } = await listened(pages);
  const dayMs = 24 * 3_600_000;
  const leasedUntilMs = Date.parse('2026-11-14T10:01:00.000Z');
  for (const nowMs of [leasedUntilMs - dayMs, leasedUntilMs + dayMs]) {
    expect((await listened(pages, false, nowMs)).asked).toEqual(asked);
  }
});

test('without retries a failed event is cancelled once that is on its way to the record', async () => {
  const { asked, lines } = await listened([[fed({ body: 'down' })], []], true);
  expect(lines[0]).toMatch(/↻ failed +0 ms +Nothing answers\.$/);
  expect(asked.map((one) => one.split(' ').slice(0, 2).join(' '))).toEqual([
    'POST /subscriptions/sub_1/feed/results',
    'POST /messages/msg_1/cancel',
  ]);
});

test.each([
  ['3000/webhooks', 'http://localhost:3000/webhooks'],
  ['3000', 'http://localhost:3000/'],
  ['localhost:3000/x', 'http://localhost:3000/x'],
  ['https://shop.test/hooks', 'https://shop.test/hooks'],
])('%s means %s', (text, url) => expect(TARGET.check.parse(text)).toBe(url));

test('what leads nowhere is refused', () => {
  expect(() => TARGET.check.parse('http://')).toThrow('3000/webhooks');
});
