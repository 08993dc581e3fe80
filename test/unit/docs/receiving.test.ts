import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { DELIVERY_POLICY } from '../../../functions/core/attempt/delivery-policy.ts';
import { signedHeaders } from '../../../functions/core/attempt/signature.ts';
import { keyPairOf } from '../../../functions/core/attempt/signing-keys.ts';
import { webhookBody } from '../../../functions/core/message/message.ts';
import { VERDICTS } from '../../support/order/truth.ts';

const docs = path.join(import.meta.dirname, '../../../docs');
const page = readFileSync(path.join(docs, 'receiving.md'), 'utf8');
const blocks = [...page.matchAll(/```(\w+)\n(.*?)```/gs)].map(([, language, text = '']) => ({
  language,
  text,
}));

/** The cells of the first table below a heading, without the two lines of its head. */
function tableUnder(heading: string): string[][] {
  const section = page.split(new RegExp(`\n#+ ${heading}\n`))[1] ?? '';
  const table = section.match(/(^\|.*\n)+/m)?.[0] ?? '';
  const rows = table.trim().split('\n').slice(2);
  return rows.map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('`', '')),
  );
}

const examples = ['verify/with-library.mjs', 'verify/with_library.py'];

test('the code on the page is that of the files, which other tests run', () => {
  const code = blocks.filter(({ language }) => language !== 'json').map(({ text }) => text);
  const files = examples.map((file) => readFileSync(path.join(docs, 'examples', file), 'utf8'));
  expect(code).toEqual(files);
});

test('the example has the members of a body, in their order', () => {
  const [body, ...others] = blocks.filter(({ language }) => language === 'json');
  expect(others).toEqual([]);
  const { resource, ...head } = JSON.parse(body?.text ?? '');
  const message = {
    message_id: head.webhook_message_id,
    occurred_at: head.created_date,
    resource_id: head.resource_id,
    resource_type: head.resource_type,
    event_type: head.event_type,
  };
  expect(webhookBody(message, JSON.stringify(resource))).toBe(JSON.stringify({ ...head, resource }));
});

test('the table of numbered events has the members that their bodies have besides, in their order', () => {
  const message = {
    ...{ message_id: 'msg_2', occurred_at: '2026-11-21T06:02:36.100Z', resource_id: 'pay_1' },
    ...{ resource_type: 'payment', event_type: 'card_payment_captured' },
  };
  const numbering = {
    payment_id: 'pay_1',
    ...{ sequence: 3, position: 2, previous_message_id: 'msg_1' },
    ...{ gap_before: true, came_late: true },
  };
  const membersOf = (body: string) => Object.keys(JSON.parse(body));
  const unnumbered = membersOf(webhookBody(message, '{}'));
  const besides = membersOf(webhookBody({ ...message, ...numbering }, '{}')).filter(
    (member) => !unnumbered.includes(member),
  );
  expect(tableUnder('Numbered events').map(([member]) => member)).toEqual(besides);
});

test('the table of verdicts has those that the checkers give', () => {
  expect(tableUnder('Check the order').map(([verdict]) => verdict)).toEqual(VERDICTS);
});

test('the table of headers has those that are sent, and the ones that a subscription brings', () => {
  const headers = signedHeaders({
    ...{ messageId: 'msg_1', timestampSeconds: 1_614_265_330, body: '{}', attempt: 1 },
    keys: [
      {
        secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
        private_key: keyPairOf(Buffer.alloc(32, 1)).private_key,
      },
    ],
    extraSignatures: ['v1a', 'pay-signature'],
  });
  expect(tableUnder('What comes').map(([name]) => name)).toEqual([...Object.keys(headers), 'yours']);
  expect(headers['user-agent']).toMatch(/^Payhooks\//);
});

test('the delays are those of the policy', () => {
  const units = { s: 1_000, min: 60_000, h: 3_600_000, day: 86_400_000, days: 86_400_000 };
  const inMs = (delay: string) => {
    const [amount, unit] = delay.split(' ');
    return Number(amount) * units[unit as keyof typeof units];
  };
  const documented = tableUnder('When a webhook is tried again');
  expect(documented.map(([name, delays = '']) => [name, delays.split(', ').map(inMs)])).toEqual(
    Object.entries(DELIVERY_POLICY.schedules),
  );
  expect(DELIVERY_POLICY).toMatchObject({
    jitter: 0.1,
    totalAgeMs: 76 * units.h,
    disableAfterMs: 5 * units.day,
  });
});

const hasTools = ['curl', 'openssl'].every((tool) => spawnSync(tool, ['version']).error === undefined);

const testWithTools = hasTools ? test : test.skip;
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

/** What the shell script posts when it is given a secret. */
async function posted(secret: string): Promise<[Buffer, Record<string, string>]> {
  const received = Promise.withResolvers<[Buffer, Record<string, string>]>();
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    response.writeHead(204).end();
    received.resolve([body, request.headers as Record<string, string>]);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`;
  const script = spawn('sh', [path.join(docs, 'examples/verify/post.sh'), url], {
    env: { PATH: process.env.PATH, SECRET: secret },
    stdio: 'ignore',
  });
  const [status] = await once(script, 'close');
  server.close();
  expect(status).toBe(0);
  return received.promise;
}

testWithTools('the shell script posts a webhook that verifies (needs curl and openssl)', async () => {
  expect(new Webhook(SECRET).verify(...(await posted(SECRET)))).toMatchObject({
    webhook_message_id: 'msg_by_hand',
    event_type: 'card_payment_captured',
  });
});

testWithTools(
  'with another first letter of the secret it does not verify (needs curl and openssl)',
  async () => {
    expect(page).toContain('Replace the first letter after `whsec_`');
    const webhook = await posted(SECRET.replace('whsec_M', 'whsec_N'));
    expect(() => new Webhook(SECRET).verify(...webhook)).toThrow('No matching signature found');
  },
);
