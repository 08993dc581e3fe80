import { readFileSync } from 'node:fs';
import path from 'node:path';
import pc from 'picocolors';
import type { MessageSummary } from '../../../../functions/core/message/message-view.ts';
import type { SubscriptionView } from '../../../../functions/core/subscription/subscription-view.ts';
import { PROJECT } from '../../../../lib/project-paths.ts';
import { type Shown, tellOutcome } from '../../../../local/demo/outcome.ts';

const at = (second: number) => new Date(Date.UTC(2026, 10, 14, 10, 0, second)).toISOString();

function message(id: string, over: Partial<MessageSummary> = {}): MessageSummary {
  return {
    message_id: id,
    payment_id: `pay_x_${id}`,
    state: 'succeeded',
    attempt_count: 1,
    admitted_at: at(0),
    occurred_at: at(0),
    ended_at: at(1),
    ...over,
  } as MessageSummary;
}

/** What is printed of an endpoint whose messages each look finds so; the last look stays. */
async function told(...looks: MessageSummary[][]): Promise<string> {
  const printed: string[] = [];
  let look = -1;
  const of = (description: string, state: string) =>
    ({ subscription_id: description, description, circuit: { state } }) as SubscriptionView;
  const api = {
    async subscriptions() {
      look += 1;
      // Somebody has registered an endpoint of their own meanwhile, and it fails.
      return [of('outage', 'closed'), of('mine', 'open')];
    },
    allMessages: async () => looks[Math.min(look, looks.length - 1)] ?? [],
  };
  const receivers = { names: ['outage'], receipts: async () => [] };
  await tellOutcome(
    { api, receivers },
    { run: 'pay_x_', eventCount: 2 },
    {
      outputs: { apiUrl: 'http://localhost:4566' } as Shown['outputs'],
      colors: pc.createColors(false),
      log: (line) => printed.push(line),
      signal: new AbortController().signal,
    },
    { firstMs: 20, lookEveryMs: 30, lateLookEveryMs: 1 },
  );
  return printed.join('\n');
}

const TRIED_AGAIN = { state: 'retrying', ended_at: undefined, next_attempt_at: at(9) } as const;

test('when all has ended there is one summary, and no word of what waits', async () => {
  const output = await told([message('1'), message('2'), message('3', { payment_id: 'sent by hand' })]);
  expect(output.match(/What came of it/g)).toHaveLength(1);
  expect(output).toMatch(/outage +2 +2 +2 /);
  expect(output).not.toMatch(/waiting|late/);
});

test('what waits is told, until when, and that it came late', async () => {
  const first = [message('1', TRIED_AGAIN)];
  const output = await told(first, first, [message('1', { ended_at: at(12) }), message('2')]);
  expect(output).toMatch(
    /^All is sent[.] Still waiting: 2 of outage, tried again at 10:00:09[.] The summary comes with the last, by \d\d:\d\d:\d\d[.]\n/,
  );
  expect(output).toMatch(/outage +2 +0 +1 /);
  expect(output).toContain(
    '  Still waiting: 2 of outage, tried again at 10:00:09. The summary is printed again',
  );
  expect(output).toMatch(
    /outage +2 +2 +2 [\s\S]*\n {2}pay_x_1 to outage was found late, and delivered at 10:00:12[.]\n {2}pay_x_2 to outage was found late, and delivered at 10:00:01[.]\n$/,
  );
});

test('a link that signs in is printed once, when the demonstration begins', async () => {
  expect(await told([message('1'), message('2')])).not.toContain('#code=');
});

test('the README shows a summary of the same columns', async () => {
  const columns = (text: string) => /^ {2}endpoint .*$/m.exec(text)?.[0].trim().split(/ {2,}/);
  const readme = readFileSync(path.join(PROJECT, 'README.md'), 'utf8');
  expect(columns(await told([message('1'), message('2')]))).toEqual(columns(readme));
});
