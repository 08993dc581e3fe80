import pc from 'picocolors';
import { ping } from '../../../../../cli/partner/commands/ping.ts';
import { runOf } from '../../../../../cli/terminal/run-commands.ts';
import type { Attempt } from '../../../../../functions/core/attempt/attempt.ts';

const STARTED = '2026-11-14T10:00:00.000Z';

/** What `ping sub_1` prints when its attempt goes like this. */
async function pinged(attempt: Partial<Attempt>, state: 'succeeded' | 'exhausted', ...options: string[]) {
  let output = '';
  let body: unknown;
  const ended = {
    message_id: 'msg_1',
    state,
    ended_at: STARTED,
    attempts: [{ attempt: 1, started_at: STARTED, duration_ms: 49.6, ...attempt }],
  };
  const answers: Readonly<Record<string, object>> = {
    'GET /subscriptions/sub_1': { callback_url: 'http://localhost:18080/hooks' },
    'POST /subscriptions/sub_1/ping': { message_id: 'msg_1' },
    'GET /messages/msg_1': ended,
  };
  const print = (text: string) => {
    output += text;
  };
  const isWell = await runOf(
    { script: 'npm run webhooks --', summary: '', commands: [ping] },
    ['ping', 'sub_1', ...options],
    { print },
    () => ({
      api: async (method, path, sent) => {
        body ??= sent?.body;
        return answers[`${method} ${path}`];
      },
      lastWord: async () => undefined,
      forward: async () => ({ status: 200 }),
      interrupted: new AbortController().signal,
      apiUrl: 'https://api.example',
      colors: pc.createColors(false),
      now: () => 0,
      wait: async () => {},
    }),
  );
  return { isWell, output: output.trimEnd(), ...(body === undefined ? {} : { body }) };
}

test('a sample is asked for by its event type', async () => {
  expect(await pinged({ status_code: 204 }, 'succeeded', '--sample-of', 'card_payment_failed')).toMatchObject(
    {
      isWell: true,
      body: { sample_of: 'card_payment_failed' },
    },
  );
});

test('a ping that was taken is one sentence', async () => {
  expect(await pinged({ status_code: 204 }, 'succeeded')).toEqual({
    isWell: true,
    output: '✓ http://localhost:18080/hooks answered 204 in 50 ms',
  });
});

test('a ping that was refused tells the answer, and fails', async () => {
  expect(await pinged({ status_code: 500, failure_class: 'http_status' }, 'exhausted')).toEqual({
    isWell: false,
    output: '✗ http://localhost:18080/hooks answered 500 in 50 ms',
  });
});

test('a ping without an answer tells why, and fails', async () => {
  const failure_reason = 'no connection to localhost on port 18080 (ECONNREFUSED)';
  expect(await pinged({ failure_class: 'connect', failure_reason }, 'exhausted')).toEqual({
    isWell: false,
    output: `✗ http://localhost:18080/hooks: ${failure_reason}`,
  });
});

test('with --verbose all of the attempt follows', async () => {
  const { output } = await pinged({ status_code: 204 }, 'succeeded', '--verbose');
  expect(output).toMatch(/^✓ .* in 50 ms\n\n {2}message_id +msg_1\n[\s\S]*attempt +started at +took +answer/);
});
