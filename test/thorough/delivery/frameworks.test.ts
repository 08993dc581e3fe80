import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Webhook } from 'standardwebhooks';
import type { MessageView } from '../../../functions/core/message/message-view.ts';
import { LOCAL_DIRECTORY, PROJECT } from '../../../lib/project-paths.ts';
import { runLogged } from '../../../local/run-logged.ts';
import { happening } from '../../support/deployed/happening.ts';
import { stack } from '../../support/deployed/shared-stack.ts';
import { eventually } from '../../support/eventually.ts';
import { INSTALLING_MS } from '../../support/installing.ts';
import { EXAMPLES, FRAMEWORKS } from './frameworks/frameworks.ts';
import { type Served, serve } from './frameworks/served.ts';

const SIX_MINUTES_MS = 360_000;

let temporary: string;

beforeAll(async () => {
  temporary = await mkdtemp(path.join(tmpdir(), 'frameworks-'));
});
afterAll(() => rm(temporary, { recursive: true, force: true }));

beforeAll(async () => {
  await cp(path.join(PROJECT, 'docs/examples/frameworks'), EXAMPLES, { recursive: true });
  await runLogged({
    file: 'npm',
    args: ['ci', '--prefix', EXAMPLES, '--ignore-scripts', '--no-audit', '--no-fund'],
    env: process.env,
    logFile: path.join(LOCAL_DIRECTORY, 'frameworks-npm-ci.log'),
  });
}, INSTALLING_MS);

/** Posts a body under an id of its own, and returns the answer's status. */
async function post(url: string, body: string, headers: Readonly<Record<string, string>>): Promise<number> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
    body,
  });
  await answer.arrayBuffer();
  return answer.status;
}

function signed(body: string, secret: string, atMs = Date.now()) {
  const id = `msg_${crypto.randomUUID()}`;
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(atMs / 1_000)),
    'webhook-signature': new Webhook(secret).sign(id, new Date(atMs), body),
  };
}

describe.each(FRAMEWORKS)('$name', ({ command, path: route, missing }) => {
  const testHere = missing === undefined ? test : test.skip;
  const receivers: Served[] = [];
  afterEach(() => Promise.all(receivers.splice(0).map((receiver) => receiver.stop())));

  testHere(
    'keeps what we send, once, large or not, through a whole rotation, and refuses what is not genuine',
    async () => {
      const started = await command(await mkdtemp(path.join(temporary, 'compiled-')));
      const receiverWith = async (secret: string) => {
        const receiver = await serve(started, route, secret, temporary);
        receivers.push(receiver);
        return receiver;
      };
      const service = await stack.newService();
      // Its URL is known once it listens, and its secret once it is subscribed.
      const { id, secret: oldSecret } = await service.subscribe('http://127.0.0.1:1/');
      const subscription = `/subscriptions/${id}`;
      const sendTo = ({ url }: Served) => service.call('PATCH', subscription, { callback_url: url });
      const publish = (payment_id: string, resource: object = {}) =>
        stack.publish(happening(service, { payment_id, resource }));
      const delivered = async (payment_id: string): Promise<MessageView> => {
        const all = await service.messages(id, (some) =>
          some.some((one) => one.payment_id === payment_id && one.state === 'succeeded'),
        );
        return service.message(all.find((one) => one.payment_id === payment_id)?.message_id ?? '');
      };
      const paymentsKept = ({ kept }: Served) => kept.map((line) => line.split(' ').at(-1));

      const before = await receiverWith(oldSecret);
      await sendTo(before);
      await publish('pay-1', { reference: 'Café ☕' });
      const { message_id, body } = await delivered('pay-1');
      await publish('pay-large', { text: 'é'.repeat(100_000) });
      await delivered('pay-large');
      await service.call('POST', `/messages/${message_id}/resend`);
      await eventually('it is sent again', async () => {
        const { state, attempts } = await service.message(message_id);
        return state === 'succeeded' && attempts.length === 2;
      });
      expect(paymentsKept(before)).toEqual(['pay-1', 'pay-large']);

      const genuine = JSON.stringify({ ...JSON.parse(body ?? ''), resource_id: 'pay-by-hand' });
      expect(await post(before.url, genuine, signed(genuine, oldSecret))).toBe(204);
      const changed = genuine.replace('pay-by-hand', 'pay-by-hang');
      const refused = [
        await post(before.url, changed, signed(genuine, oldSecret)),
        await post(before.url, genuine, signed(genuine, oldSecret, Date.now() - SIX_MINUTES_MS)),
        await post(before.url, genuine, signed(genuine, oldSecret, Date.now() + SIX_MINUTES_MS)),
        await post(before.url, genuine, { ...signed(genuine, oldSecret), 'webhook-id': message_id }),
        await post(before.url, genuine, {}),
      ];
      expect(refused).toEqual([401, 401, 401, 401, 401]);
      expect(paymentsKept(before)).toEqual(['pay-1', 'pay-large', 'pay-by-hand']);

      const { body: rotated } = await service.call('POST', `${subscription}/secrets`);
      await publish('pay-overlap-old');
      await delivered('pay-overlap-old');
      expect(paymentsKept(before).at(-1)).toBe('pay-overlap-old');
      const after = await receiverWith(rotated.signing_secret);
      await sendTo(after);
      await publish('pay-overlap-new');
      await delivered('pay-overlap-new');

      const [, old] = rotated.signing_secrets;
      expect((await service.call('DELETE', `${subscription}/secrets/${old.secret_id}`)).status).toBe(200);
      await publish('pay-revoked');
      await delivered('pay-revoked');
      expect(paymentsKept(after)).toEqual(['pay-overlap-new', 'pay-revoked']);

      // As if nobody had switched the receiver.
      await sendTo(before);
      await publish('pay-forgotten');
      await service.messages(id, ([newest]) => newest?.last_status_code === 401);
      await sendTo(after);
      const { attempts } = await delivered('pay-forgotten');
      expect([attempts[0]?.status_code, attempts.at(-1)?.status_code]).toEqual([401, 204]);
      expect(paymentsKept(before)).not.toContain('pay-forgotten');
      expect(paymentsKept(after).at(-1)).toBe('pay-forgotten');
    },
    INSTALLING_MS,
  );
});
