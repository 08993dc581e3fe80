import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { localAccess } from '../../../cli/stage/stage-access.ts';
import { resourceTable } from '../../../functions/adapters/dynamodb/history/resource-table.ts';
import { signalQueue } from '../../../functions/adapters/sqs/signal-queues.ts';
import { resendSignal } from '../../../functions/core/signal/signal.ts';
import { happening } from '../../support/deployed/happening.ts';
import { service } from '../../support/deployed/own-service.ts';
import { stack } from '../../support/deployed/shared-stack.ts';
import { eventually } from '../../support/eventually.ts';
import { type Loopback, loopback } from '../../support/network/dead-address.ts';
import { ops } from '../../support/operator-run.ts';

const NAME = 'Ada Lovelace';
const ANSWER = 'thank you, Ada';

let partner: Loopback;
let received: string[];
let status: number;

beforeEach(async () => {
  received = [];
  status = 200;
  partner = await loopback(async (request, response) => {
    received.push(await text(request));
    response.writeHead(status).end(ANSWER);
  });
});
afterEach(() => partner.stop());

const partnerUrl = () => `${partner.url}/webhooks`;

/** The command's output for an operator who runs it minutes later; `ok` means exit code 0. */
async function run(...args: string[]) {
  const { isWell, printed } = await ops(['personal-data', ...args], {
    access: async () => localAccess(stack.outputs),
    now: () => Date.now() + 300_000,
  });
  return { ok: isWell, printed };
}

/** Publishes a small and a large event of a payment, and waits until both have ended or wait for a retry. */
async function onRecord(subscriptionId: string, payment_id: string, state: string) {
  const small = happening(service, { payment_id, resource: { name: NAME } });
  const large = happening(service, { payment_id, resource: { name: NAME, notes: 'x'.repeat(20_000) } });
  await stack.publish(small, large);
  const messages = await service.messages(
    subscriptionId,
    (all) => all.length === 2 && all.every((message) => message.state === state),
  );
  return { large: String(large.event_id), messages };
}

test("a payment's data is exported in full, then erased for good, and its trail stays", async () => {
  const { id } = await service.subscribe(partnerUrl());
  const { large, messages } = await onRecord(id, 'pay-ada', 'succeeded');

  const { ok, printed } = await run('export', service.serviceId, 'pay-ada', '--json');
  const exported = JSON.parse(printed);
  expect(ok).toBe(true);
  expect(exported).toMatchObject({ service_id: service.serviceId, payment_id: 'pay-ada', stage: 'local' });
  expect(exported.messages).toHaveLength(2);
  expect(exported.messages[0]).toMatchObject({
    state: 'succeeded',
    resource: expect.stringContaining(NAME),
    first_attempt: { status_code: 200, response_body: ANSWER },
  });
  expect(exported.resources).toEqual([{ event_id: large, resource: expect.stringContaining(NAME) }]);

  const looked = await run('erase', service.serviceId, 'pay-ada');
  expect(looked).toMatchObject({
    ok: true,
    printed: expect.stringContaining('Nothing was changed. --yes does it.'),
  });
  expect((await service.message(messages[0]!.message_id)).body).toContain(NAME);

  const erased = await run('erase', service.serviceId, 'pay-ada', '--yes', '--json');
  expect({ ok: erased.ok, ...JSON.parse(erased.printed) }).toMatchObject({
    ok: true,
    erased: [{ state: 'succeeded' }, { state: 'succeeded' }],
    erased_resource_count: 1,
    changed_meanwhile: [],
    waiting: [],
  });
  for (const { message_id } of messages) {
    const view = await service.message(message_id);
    expect(view).toMatchObject({ state: 'succeeded', body_erased_at: expect.stringMatching(/Z$/) });
    expect(view).not.toHaveProperty('body');
    expect(view.attempts).toEqual([expect.objectContaining({ attempt: 1, status_code: 200 })]);
    expect(view.attempts[0]).not.toHaveProperty('response_body');
  }
  await eventually('the list tells it', async () => {
    const { body } = await service.call('GET', `/subscriptions/${id}/messages`);
    return body.messages.every((message: object) => 'body_erased_at' in message);
  });
  const afterwards = await run('export', service.serviceId, 'pay-ada', '--json');
  expect(afterwards.printed).not.toContain('Ada');
  expect(await run('erase', service.serviceId, 'pay-ada', '--yes')).toMatchObject({
    ok: true,
    printed: expect.stringContaining('2 messages had been erased before.'),
  });
});

test('nothing restores an erased body: no request to resend it, no worker that matches its event again', async () => {
  const { id } = await service.subscribe(partnerUrl());
  const { large, messages } = await onRecord(id, 'pay-1', 'succeeded');
  await run('erase', service.serviceId, 'pay-1', '--yes');
  const refusals: unknown[] = [];
  const ask = signalQueue(stack.sqs, stack.outputs.queues.deliveries, (fault) => refusals.push(fault));
  await ask(messages.map((message) => resendSignal({ ...message, service_id: service.serviceId })));
  await resourceTable(stack.dynamodb, stack.outputs.tables.history, 90)(
    { service_id: service.serviceId, event_id: large, payment_id: 'pay-1' },
    JSON.stringify({ name: NAME }),
    Date.now(),
  );
  // Behind the same ordering key, so it comes after the request.
  await stack.publish(happening(service, { payment_id: 'pay-1', resource: { last: true } }));
  const all = await service.messages(id, (found) => found.length === 3 && found[0]!.state === 'succeeded');

  expect(refusals).toEqual([]);
  expect(received.filter((body) => body.includes(NAME))).toHaveLength(2);
  expect(received).toHaveLength(3);
  expect(all.map(({ attempt_count }) => attempt_count)).toEqual([1, 1, 1]);
  expect((await run('export', service.serviceId, 'pay-1', '--json')).printed).not.toContain(NAME);
});

test('while messages wait to be sent, nothing is erased and they are listed; the rest can be erased on request', async () => {
  const { id } = await service.subscribe(partnerUrl());
  await onRecord(id, 'pay-1', 'succeeded');
  status = 500;
  await stack.publish(happening(service, { payment_id: 'pay-1', resource: { name: NAME } }));
  const [waiting] = await service.messages(id, (all) => all.length === 3 && all[0]!.state === 'retrying');

  const refused = await run('erase', service.serviceId, 'pay-1', '--yes');
  expect(refused.ok).toBe(false);
  expect(refused.printed).toContain('1 message still to be sent:');
  expect(refused.printed).toContain(waiting!.message_id);
  expect(refused.printed).toContain('Nothing was changed.');
  expect((await run('export', service.serviceId, 'pay-1')).printed.split(NAME)).toHaveLength(4);

  const partly = await run('erase', service.serviceId, 'pay-1', '--yes', '--ended-only');
  expect(partly).toMatchObject({
    ok: false,
    printed: expect.stringContaining('2 messages and 1 large resource erased.'),
  });
  status = 200;
  await service.messages(id, (all) => all[0]!.state === 'succeeded');
  expect(received.at(-1)).toContain(NAME);
});

test('payments of other services are not affected, whatever their ids', async () => {
  const { id } = await service.subscribe(partnerUrl());
  await onRecord(id, 'pay-same', 'succeeded');
  const { serviceId } = await stack.newService();
  await expect(run('erase', serviceId, 'pay-same', '--yes')).rejects.toThrow(
    `Nothing is on record of payment pay-same of ${serviceId} on local.`,
  );
});

test('an export goes to a new file that only its owner can read', async () => {
  const { id } = await service.subscribe(partnerUrl());
  await onRecord(id, 'pay-1', 'succeeded');
  const directory = await mkdtemp(path.join(tmpdir(), 'payhooks-'));
  const out = path.join(directory, 'pay-1.json');
  try {
    const { printed } = await run('export', service.serviceId, 'pay-1', '--out', out);
    expect(printed).toContain(`${out}: 2 messages, 1 large resources and 0 held events.`);
    expect((await stat(out)).mode & 0o777).toBe(0o600);
    expect(JSON.parse(await readFile(out, 'utf8')).messages).toHaveLength(2);
    await expect(run('export', service.serviceId, 'pay-1', '--out', out)).rejects.toThrow('--out:');
  } finally {
    await rm(directory, { recursive: true });
  }
});
