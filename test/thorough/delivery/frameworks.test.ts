import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { LOCAL_DIRECTORY, PROJECT } from '../../../local/project-paths.ts';
import { runLogged } from '../../../local/run-logged.ts';
import { type DeployedStack, deployedStack } from '../../support/deployed/deployed-stack.ts';
import { happening } from '../../support/deployed/happening.ts';
import { eventually } from '../../support/eventually.ts';
import { type Command, EXAMPLES, FRAMEWORKS } from './frameworks/frameworks.ts';

const INSTALLING_MS = 300_000;

let stack: DeployedStack;
let temporary: string;

beforeAll(async () => {
  stack = await deployedStack();
  temporary = await mkdtemp(path.join(tmpdir(), 'frameworks-'));
});
afterAll(async () => {
  stack?.close();
  await rm(temporary, { recursive: true, force: true });
});

beforeAll(async () => {
  await cp(path.join(PROJECT, 'docs/examples/frameworks'), EXAMPLES, { recursive: true });
  await runLogged({
    file: 'npm',
    args: ['ci', '--prefix', EXAMPLES, '--ignore-scripts', '--no-audit', '--no-fund'],
    env: process.env,
    logFile: path.join(LOCAL_DIRECTORY, 'frameworks-npm-ci.log'),
  });
}, INSTALLING_MS);

/** Serves an example with a secret on a free port. */
async function serve([file, ...args]: Command, SECRET: string) {
  const child = spawn(file, args, {
    cwd: EXAMPLES,
    env: { PATH: process.env.PATH, SECRET, PORT: '0', PYTHONDONTWRITEBYTECODE: '1' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const kept: string[] = [];
  const port = await new Promise<string>((resolve, reject) => {
    child.once('error', reject).once('exit', () => reject(new Error(`${file} ended before it listened`)));
    createInterface({ input: child.stdout }).on('line', (line) => {
      const [, on] = /^listening on port (\d+)$/.exec(line) ?? [];
      if (on === undefined) {
        kept.push(line);
      } else {
        resolve(on);
      }
    });
  });
  return {
    url: `http://127.0.0.1:${port}/`,
    kept,
    async stop() {
      child.kill('SIGKILL');
      await once(child, 'close');
    },
  };
}

describe.each(FRAMEWORKS)('%s', (_, command, isInstalled) => {
  const testHere = isInstalled ? test : test.skip;
  testHere(
    'verifies and acknowledges what we send, through a rotation, keeps a repeat once, and refuses forgeries',
    async () => {
      const service = await stack.newService();
      // Its URL is known once it listens, and its secret once it is subscribed.
      const { id, secret } = await service.subscribe('http://127.0.0.1:1/');
      const receiver = await serve(await command(temporary), secret);
      try {
        const path = `/subscriptions/${id}`;
        await service.call('PATCH', path, { callback_url: receiver.url });
        const delivered = (count: number) =>
          service.messages(
            id,
            (all) => all.length === count && all.every(({ state }) => state === 'succeeded'),
          );

        await stack.publish(happening(service, { payment_id: 'pay-1', resource: { reference: 'Café ☕' } }));
        const [first] = await delivered(1);
        expect(receiver.kept).toEqual([expect.stringContaining('pay-1')]);

        expect((await service.call('POST', `${path}/secrets`)).status).toBe(201);
        await stack.publish(happening(service, { payment_id: 'pay-2' }));
        await delivered(2);

        await service.call('POST', `/messages/${first?.message_id}/resend`);
        await eventually('it is sent again', async () => {
          return (await service.message(first?.message_id ?? '')).attempts.length === 2;
        });
        expect(receiver.kept).toHaveLength(2);

        const forged = await fetch(receiver.url, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            'webhook-id': 'msg_forged',
            'webhook-timestamp': String(Math.floor(Date.now() / 1_000)),
            'webhook-signature': 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
          },
          body: JSON.stringify({ event_type: 'card_payment_captured', resource_id: 'pay-3' }),
        });
        expect(forged.status).toBe(401);
        expect(receiver.kept).toHaveLength(2);
      } finally {
        await receiver.stop();
      }
    },
    INSTALLING_MS,
  );
});
