import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { signedHeaders } from '../../../functions/core/attempt/signature.ts';
import { keyPairOf } from '../../../functions/core/attempt/signing-keys.ts';
import { webhookBody } from '../../../functions/core/message/message.ts';

const examples = path.join(import.meta.dirname, '../../../docs/examples');
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const { private_key } = keyPairOf(Buffer.alloc(32, 1));

/** A receiver on a port of its own, and the lines that it writes. */
async function receiver(command: string, file: string, inbox: string) {
  const child = spawn(command, [path.join(examples, file)], {
    env: { PATH: process.env.PATH, SECRET, INBOX: inbox, PORT: '0', PYTHONDONTWRITEBYTECODE: '1' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const line = async () => (await lines.next()).value as string;
  const port = Number(/^listening on port (\d+)$/.exec(await line())?.[1]);
  const post = async (messageId: string, secret = SECRET) => {
    const body = webhookBody(
      {
        message_id: messageId,
        occurred_at: '2026-11-14T10:00:00.000Z',
        resource_id: `of ${messageId}`,
        resource_type: 'payment',
        event_type: 'card_payment_captured',
      },
      '{"reference":"Café ☕"}',
    );
    const headers = signedHeaders({
      ...{ messageId, body, attempt: 1, timestampSeconds: Math.floor(Date.now() / 1_000) },
      keys: [{ secret, private_key }],
      extraSignatures: [],
    });
    return (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers: { ...headers }, body }))
      .status;
  };
  const stop = async () => {
    child.kill('SIGKILL');
    await once(child, 'close');
  };
  return { line, post, stop };
}

const hasPython = spawnSync('python3', ['--version']).status === 0;
const hasSqlite = process.getBuiltinModule('node:sqlite') !== undefined;

describe.each([
  ['Node (needs 22.13)', process.execPath, 'receiver.mjs', hasSqlite],
  ['Python (needs python3)', 'python3', 'receiver.py', hasPython],
] as const)('the whole receiver in %s', (_, command, file, isHere) => {
  let directory = '';
  beforeEach(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'receiver-'));
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));

  (isHere ? test : test.skip)(
    'takes what is signed, handles it once, also over a new start, and refuses what is forged',
    async () => {
      const inbox = path.join(directory, 'inbox.sqlite');
      const first = await receiver(command, file, inbox);
      try {
        expect(await first.post('msg_1')).toBe(204);
        expect(await first.line()).toBe('card_payment_captured of msg_1');
        expect(await first.post('msg_1')).toBe(204);
        expect(await first.post('msg_2', `whsec_${Buffer.alloc(32, 7).toString('base64')}`)).toBe(401);
        expect(await first.post('msg_3')).toBe(204);
        expect(await first.line()).toBe('card_payment_captured of msg_3');
      } finally {
        await first.stop();
      }
      const second = await receiver(command, file, inbox);
      try {
        expect(await second.post('msg_1')).toBe(204);
        expect(await second.post('msg_4')).toBe(204);
        // It may have ended before it had noted that msg_3 was done.
        const line = await second.line();
        expect(line.endsWith('msg_3') ? await second.line() : line).toBe('card_payment_captured of msg_4');
      } finally {
        await second.stop();
      }
    },
    20_000,
  );
});
