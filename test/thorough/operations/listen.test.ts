import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Webhook } from 'standardwebhooks';
import { PROJECT } from '../../../lib/project-paths.ts';
import { happening, steps } from '../../support/deployed/happening.ts';
import { onArrival, partner } from '../../support/deployed/own-partner.ts';
import { service } from '../../support/deployed/own-service.ts';
import { stack } from '../../support/deployed/shared-stack.ts';
import { eventually } from '../../support/eventually.ts';
import { ACCEPTED, accepted, overtakers } from '../../support/network/scripted-partner.ts';

let child: ChildProcess | undefined;

afterEach(async () => {
  if (child?.exitCode === null) {
    child.kill('SIGINT');
    await once(child, 'exit');
  }
});

/** The listener of a laptop: what it prints, as JSON, from its first line on. */
async function listener(...args: string[]) {
  const lines: Record<string, unknown>[] = [];
  let complaint = '';
  child = spawn(process.execPath, ['bin/cli.ts', 'listen', partner.url('laptop'), '--json', ...args], {
    cwd: PROJECT,
    env: { ...process.env, PAYHOOKS_API_URL: stack.outputs.apiUrl, PAYHOOKS_TOKEN: service.token },
  });
  let text = '';
  child.stdout!.on('data', (data: Buffer) => {
    text += data.toString();
    const whole = text.split('\n');
    text = whole.pop() ?? '';
    lines.push(...whole.filter(Boolean).map((line) => JSON.parse(line)));
  });
  child.stderr!.on('data', (data: Buffer) => {
    complaint += data.toString();
  });
  const first = await eventually('it listens', async () => {
    expect(complaint).toBe('');
    return lines[0];
  });
  return { lines, id: String(first.listening), secret: String(first.signing_secret) };
}

const messagesOf = (id: string, count: number, state: string) =>
  service.messages(id, (all) => all.length === count && all.every((one) => one.state === state));

test('a listener forwards events to a laptop, signed and each payment in order, and ends its subscription', async () => {
  const { lines, id, secret } = await listener();
  expect(await service.subscription(id)).toMatchObject({
    delivery: 'pull',
    callback_url: '',
    description: expect.stringMatching(/^listener on /),
    expires_after_seconds: 300,
  });
  await stack.publish(...steps(service, ['pay-a', 'pay-b', 'pay-c'], 3));
  const delivered = await messagesOf(id, 9, 'succeeded');
  expect(delivered).toMatchObject(Array(9).fill({ attempt_count: 1, last_status_code: 200 }));
  expect([overtakers(partner.arrivals()), accepted(partner.arrivals())]).toEqual([[], expect.any(Array)]);
  expect(partner.arrivals()).toHaveLength(9);
  for (const { headers, body } of partner.arrivals()) {
    expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toBeTruthy();
  }
  expect(lines.slice(1)).toHaveLength(9);
  child!.kill('SIGINT');
  await once(child!, 'exit');
  expect((await service.call('GET', `/subscriptions/${id}`)).status).toBe(404);
});

test('a listener with a filter forwards what it takes, and nothing else', async () => {
  const { id } = await listener('--filter', '{"resource":{"step":[{"numeric":[">=",2]}]}}');
  expect(await service.subscription(id)).toMatchObject({
    filter: { resource: { step: [{ numeric: ['>=', 2] }] } },
  });
  await stack.publish(...steps(service, ['pay-a'], 3));
  await messagesOf(id, 2, 'succeeded');
  expect(partner.arrivals().map(({ step }) => step)).toEqual([2, 3]);
});

test('a failed event is tried again on the schedule, and what follows in its payment waits for it', async () => {
  onArrival(({ attempt, step }) => (step === 1 && attempt === 1 ? { status: 503 } : ACCEPTED));
  const { id } = await listener();
  await stack.publish(...steps(service, ['pay-a'], 2));
  const [second, first] = await messagesOf(id, 2, 'succeeded');
  expect([first, second]).toMatchObject([{ attempt_count: 2 }, { attempt_count: 1 }]);
  expect(partner.arrivals().map(({ step, attempt }) => [step, attempt])).toEqual([
    [1, 1],
    [1, 2],
    [2, 1],
  ]);
  const { body } = await service.call('GET', `/messages/${first!.message_id}`);
  expect(body.attempts).toMatchObject([
    { status_code: 503, failure_class: 'http_status' },
    { status_code: 200 },
  ]);
});

test('without retries a failed event is cancelled; a test ping comes like any event', async () => {
  onArrival(({ payment_id }) => ({ status: payment_id === 'pay-bad' ? 500 : 200 }));
  const { id } = await listener('--no-retry');
  await stack.publish(happening(service, { payment_id: 'pay-bad' }));
  const [message] = await messagesOf(id, 1, 'cancelled');
  expect(message).toMatchObject({ attempt_count: 1, state_reason: 'cancelled_by_partner' });
  expect((await service.call('POST', `/subscriptions/${id}/ping`)).status).toBe(202);
  await eventually('the ping has come', async () => partner.arrivals().length === 2);
});

test('a lease that ends without a result is a failed attempt on record', async () => {
  const wanted = { delivery: 'pull', description: 'slow', event_types: ['*'], live: false };
  const { status, body } = await service.call('POST', '/subscriptions', wanted);
  expect([status, body.delivery]).toEqual([201, 'pull']);
  const path = `/subscriptions/${body.subscription_id}`;
  await stack.publish(happening(service, { payment_id: 'pay-slow' }));
  const pull = async () => (await service.call('GET', `${path}/feed?lease_seconds=5`)).body.messages;
  const [first] = await eventually('it may be pulled', async () => {
    const messages = await pull();
    return messages.length === 1 && messages;
  });
  expect(await pull()).toEqual([]);
  const [again] = await eventually('it may be pulled again', async () => {
    const messages = await pull();
    return messages.length === 1 && messages;
  });
  expect(again).toMatchObject({ message_id: first.message_id, attempt: 2 });
  const results = [first, again].map(({ lease_id }) => ({ lease_id, outcome: 'delivered' }));
  const reported = await service.call('POST', `${path}/feed/results`, { results });
  expect(reported.body.results.map(({ state }: { state: string }) => state)).toEqual([
    'not_in_hand',
    'recorded',
  ]);
  const [ended] = await messagesOf(body.subscription_id, 1, 'succeeded');
  expect((await service.call('GET', `/messages/${ended!.message_id}`)).body.attempts).toMatchObject([
    { failure_class: 'timeout', failure_reason: 'The lease ended without a result.' },
    { attempt: 2 },
  ]);
});
