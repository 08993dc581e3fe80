import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { consoleCommands } from '../../../cli/operator/token/console-commands.ts';
import { localConsole } from '../../../cli/operator/token/console-stage.ts';
import { portalSessionTable } from '../../../functions/adapters/dynamodb/api/portal-session-table.ts';
import { codeOf } from '../../../functions/core/api/portal/portal-secrets.ts';
import { newPortalSession } from '../../../functions/core/api/portal/portal-session.ts';
import { happening } from '../../support/deployed/happening.ts';
import { logged } from '../../support/deployed/logged.ts';
import { onArrival, partner } from '../../support/deployed/own-partner.ts';
import { service } from '../../support/deployed/own-service.ts';
import { stack } from '../../support/deployed/shared-stack.ts';
import { eventually } from '../../support/eventually.ts';
import { ops } from '../../support/operator-run.ts';

const NAME = 'Grace Hopper';
const CARD = '4111111111111111';
const PATH = 'a-path-that-only-the-partner-knows';

test('logs name messages and payments but contain no bodies, secrets or tokens, whatever goes wrong', async () => {
  const beganAtMs = Date.now();
  onArrival(({ step }) => ({ status: step === 0 ? 200 : 500 }));
  const { id, secret } = await service.subscribe(partner.url(PATH));
  const broken = happening(service, {
    payment_id: 'pay-broken',
    event_type: 'NONSENSE',
    resource: { name: NAME },
  });
  // A publisher wrote the whole payment into the type field.
  const confused = happening(service, { event_type: `${NAME} ${CARD} ${'x'.repeat(50_000)}` });
  await stack.publish(
    confused,
    happening(service, { payment_id: 'pay-good', resource: { name: NAME } }),
    happening(service, { payment_id: 'pay-refused', resource: { name: NAME, step: 1 } }),
    happening(service, { payment_id: 'pay-large', resource: { name: NAME, notes: 'x'.repeat(20_000) } }),
    broken,
  );
  await service.messages(
    id,
    (all) => all.length === 3 && all.every(({ attempt_count }) => attempt_count > 0),
  );
  await service.call('POST', '/subscriptions', {
    callback_url: 'https://user:hunter2@example.com/',
    secret: NAME,
  });

  const text = await eventually('each of them is in the logs', async () => {
    const all = await logged(stack, beganAtMs);
    return (
      ['pay-good', 'pay-refused', 'pay-large', 'event.dead_lettered'].every((what) => all.includes(what)) &&
      all
    );
  });
  const secrets = {
    NAME,
    CARD,
    PATH,
    secret,
    token: service.token,
    password: 'hunter2',
    known: secret.slice('whsec_'.length),
  };
  expect(Object.entries(secrets).filter(([, value]) => text.includes(value))).toEqual([]);
});

const SUBSCRIPTION = { callback_url: 'http://127.0.0.1:1/hooks', event_types: ['*'], live: false };
const PORTAL = '/portal-sessions/exchange';
const STAGE = '/stage/sessions/exchange';

/** What was issued or sent, and must be in no log: its last characters, by what it is. */
const secrets = new Map<string, string>();

function secret(what: string, value: string): string {
  expect(value).toMatch(/^(ph[cs]|whsec)_[\w+/=-]{40}/);
  secrets.set(what, value.slice(-32));
  return value;
}

/** A request on behalf of a token that is noted, or was. */
async function answerTo(token: string, method: string, to: string, body?: unknown) {
  return service.call(method, to, body, { authorization: `Bearer ${token}` });
}

async function exchanged(
  exchange: string,
  code: string,
  what: string,
): Promise<{ id: string; token: string }> {
  const { status, body } = await service.call('POST', exchange, { code });
  expect({ status, body }).toMatchObject({ status: 200 });
  return { id: body.session_id, token: secret(`the token of ${what}`, body.token) };
}

/** A session that manages, with its token. */
async function portal(): Promise<{ id: string; token: string; code: string }> {
  const { body } = await service.call('POST', '/portal-sessions', { rights: 'manage' });
  const code = secret(`a code (${secrets.size})`, body.console_path.split('#code=')[1]);
  return { code, ...(await exchanged(PORTAL, code, `a portal session (${secrets.size})`)) };
}

async function refused(exchange: string, code: string): Promise<void> {
  expect((await service.call('POST', exchange, { code })).status).toBe(422);
}

test('no log has the code or the token of a session, or a signing secret, whatever becomes of the session', async () => {
  const beganAtMs = Date.now();
  const used = await portal();
  const made = await answerTo(used.token, 'POST', '/subscriptions', SUBSCRIPTION);
  secret('the first signing secret', made.body.signing_secret);
  const at = `/subscriptions/${made.body.subscription_id}`;
  const rotated = await answerTo(used.token, 'POST', `${at}/secrets`, { overlap_seconds: 60 });
  secret('the signing secret of a rotation', rotated.body.signing_secret);
  await answerTo(used.token, 'POST', `${at}/ping`);

  // Used twice, mistyped, sent where it does not belong.
  await refused(PORTAL, used.code);
  await refused(PORTAL, secret('a wrong code', codeOf(Buffer.alloc(32, 7))));
  await refused(STAGE, used.code);
  for (const body of [{ code: `${used.code}x` }, { cod: used.code }, `{"code":"${used.code}"`, [used.code]]) {
    expect((await service.call('POST', PORTAL, body)).status).toBeGreaterThanOrEqual(400);
  }
  expect((await answerTo(used.code, 'GET', '/subscriptions')).status).toBe(401);
  expect((await answerTo(`${used.token}x`, 'GET', '/subscriptions')).status).toBe(401);
  expect((await answerTo(used.token, 'POST', '/portal-sessions', { token: used.token })).status).toBe(400);
  await answerTo(used.token, 'POST', '/subscriptions', { ...SUBSCRIPTION, callback_url: used.token });

  const code = secret('the code of a session that ends', codeOf(Buffer.from(used.token.slice(-32))));
  const short = newPortalSession(
    { service_id: service.serviceId, rights: 'read', lastsSeconds: 300 },
    code,
    undefined,
    Date.now() - 290_000,
  );
  await portalSessionTable(stack.dynamodb, stack.outputs.tables.apiTokens).add(short);
  const ended = await exchanged(PORTAL, code, 'a session that ends');
  await eventually(
    'it has ended',
    async () => (await answerTo(ended.token, 'GET', '/subscriptions')).status === 401,
  );

  const revoked = await portal();
  expect((await answerTo(revoked.token, 'DELETE', `/portal-sessions/${revoked.id}`)).status).toBe(204);
  expect((await answerTo(revoked.token, 'GET', '/subscriptions')).status).toBe(401);

  const commands = consoleCommands(async () => localConsole(stack.outputs));
  const { printed } = await ops(['console', '--json'], {}, commands);
  const stageCode = secret('the code of a stage session', JSON.parse(printed).url.split('#code=')[1]);
  const onCall = await exchanged(STAGE, stageCode, 'a stage session');
  expect((await answerTo(onCall.token, 'GET', '/stage/queues')).status).toBe(200);
  await refused(STAGE, stageCode);

  const text = await eventually('the sessions are in the logs by their ids', async () => {
    const all = await logged(stack, beganAtMs);
    return [used.id, revoked.id, ended.id, onCall.id].every((id) => all.includes(id)) && all;
  });
  // What the emulator says in the place of Lambda. Of access logs there is only the format:
  // test/stacks/pipeline/api.test.ts.
  const emulator = await readFile(
    path.join(path.dirname(process.env.PAYHOOKS_TEST_OUTPUTS ?? ''), 'emulator.log'),
    'utf8',
  );
  expect(emulator).toContain(made.body.subscription_id);
  expect(secrets.size).toBeGreaterThan(10);
  const found = [...secrets].filter(([, value]) => text.includes(value) || emulator.includes(value));
  expect(found.map(([what]) => what)).toEqual([]);
});
