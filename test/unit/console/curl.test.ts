import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { curlOf } from '../../../console/messages/curl.ts';
import { randomKeys } from '../../../functions/api/random-keys.ts';
import { signedHeaders } from '../../../functions/core/attempt/signature.ts';
import { newGeneration } from '../../../functions/core/attempt/signing-keys.ts';
import { type Loopback, loopback } from '../../support/network/loopback.ts';

const SECONDS = 1_614_265_330;
const { keys } = newGeneration({ ...randomKeys(undefined), createdAt: '2026-11-14T10:00:00.000Z' });

/** What a shell, a URL or curl might read as something else; longer than an argument may be. */
const BODY = `{"a":"it's $(id) \`id\` \\" \\\\ é\u202e %s","b":"@x -d","c":"${'w'.repeat(200_000)}"}`;
const TARGET = "/a[1-3]/%7Bb,c%7D/it's?q={d,e}&f[]=[g]&h=$HOME&i=%27%22;j!";

const message = { message_id: 'msg_1', attempt_count: 2, body: BODY };
const command = (origin: string, over: { secret?: string; extra?: ('v1a' | 'pay-signature')[] } = {}) => {
  const endpoint = { callback_url: `${origin}${TARGET}`, extra_signatures: over.extra ?? [] };
  return curlOf(message, endpoint, over.secret ?? keys.secret, SECONDS * 1_000);
};

test('a shell reads the command without complaint', async () => {
  const text = await command('https://shop.example', { extra: ['pay-signature'] });
  for (const shell of ['bash', 'sh']) {
    execFileSync(shell, ['-n'], { input: text });
  }
});

const hasCurl = spawnSync('curl', ['--version']).status === 0;

(hasCurl ? describe : describe.skip)('run in a shell (needs curl)', () => {
  let receiver: Loopback;
  const received: { target?: string | undefined; headers: NodeJS.Dict<string | string[]>; body: string }[] =
    [];
  beforeAll(async () => {
    receiver = await loopback((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk) => chunks.push(chunk));
      request.on('end', () => {
        const { url: target, headers } = request;
        received.push({ target, headers, body: Buffer.concat(chunks).toString() });
        response.end('taken');
      });
    });
  });
  afterAll(() => receiver.stop());

  test('it sends what an attempt sends, to the letter, whatever is in it', async () => {
    const shell = promisify(execFile)('sh', { encoding: 'utf8' });
    shell.child.stdin?.end(await command(receiver.url, { extra: ['v1a', 'pay-signature'] }));
    expect((await shell).stdout).toMatch(/^HTTP\/1.1 200 .*taken$/s);
    const sent = signedHeaders({
      messageId: 'msg_1',
      timestampSeconds: SECONDS,
      body: BODY,
      keys: [keys],
      extraSignatures: ['pay-signature'],
      attempt: 2,
    });
    expect(received).toMatchObject([{ target: TARGET, headers: sent, body: BODY }]);
  });
});

test('without a secret it is not signed', async () => {
  for (const secret of ['', 'whpk_AAAA']) {
    expect(await command('https://shop.example', { secret, extra: ['pay-signature'] })).not.toContain(
      'signature',
    );
  }
});
