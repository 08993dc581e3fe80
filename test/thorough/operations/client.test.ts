import { execFile, spawn } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import type { MessageView } from '../../../functions/core/message/message-view.ts';
import { paymentEvent } from '../../support/builders.ts';
import { receiver } from '../../support/deployed/own-receiver.ts';
import { service } from '../../support/deployed/own-service.ts';
import { stack } from '../../support/deployed/shared-stack.ts';

const PROJECT = path.resolve(import.meta.dirname, '../../..');

function environment(token = service.token) {
  return { PATH: process.env.PATH ?? '', PAYHOOKS_API_URL: stack.outputs.apiUrl, PAYHOOKS_TOKEN: token };
}

/** Runs a client command as a partner would; returns its output and exit code. */
async function webhooks(args: readonly string[], env: Record<string, string> = environment()) {
  try {
    const { stdout } = await promisify(execFile)(process.execPath, ['bin/cli.ts', 'webhooks', ...args], {
      cwd: PROJECT,
      env,
      timeout: 90_000,
    });
    return { code: 0, stdout, stderr: '' };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, stdout, stderr };
  }
}

async function json(...args: string[]) {
  const { stdout } = await webhooks([...args, '--json']);
  return JSON.parse(stdout);
}

async function created(name: string, settings: object = {}): Promise<string> {
  const url = await receiver.endpoint(`${name}-${service.serviceId}`.slice(0, 64), settings);
  return (await json('create', url, '--event-type', 'card_payment_*')).subscription_id;
}

test('a partner follows deliveries, shows one, and has it resent', async () => {
  const id = await created('followed');
  const tail = spawn(process.execPath, ['bin/cli.ts', 'webhooks', 'tail', '--subscription', id, '--json'], {
    cwd: PROJECT,
    env: environment(),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<number | null>((resolve) => tail.once('exit', resolve));
  try {
    const lines = createInterface({ input: tail.stdout })[Symbol.asyncIterator]();
    const next = async () => JSON.parse((await lines.next()).value ?? 'null');
    expect(await next()).toEqual({ following: id });
    await stack.publish(
      paymentEvent({
        event_id: `evt-${id}`,
        payment_id: `pay-${id}`,
        service_id: service.serviceId,
        live: false,
        occurred_at: new Date().toISOString(),
      }),
    );
    const followed: MessageView = await next();
    expect(followed).toMatchObject({ event_id: `evt-${id}`, state: 'succeeded' });

    expect(await json('message', followed.message_id)).toMatchObject({ attempts: [{ status_code: 200 }] });
    expect((await webhooks(['payment', `pay-${id}`])).stdout).toContain(followed.message_id);
    expect((await webhooks(['cancel', followed.message_id])).stderr).toContain('it has ended');
    expect((await webhooks(['resend', followed.message_id])).code).toBe(0);
    // It is parked for a moment first, or has already been sent.
    const again: MessageView = await next();
    expect(again).toMatchObject({ message_id: followed.message_id, late: true });
  } finally {
    tail.kill('SIGINT');
  }
  expect(await ended).toBe(130);
});
