import { consoleCommands } from '../../../cli/operator/token/console-commands.ts';
import { localConsole } from '../../../cli/operator/token/console-stage.ts';
import { stageSessionTable } from '../../../functions/adapters/dynamodb/api/stage-session-table.ts';
import { stageCodeOf } from '../../../functions/core/api/stage/stage-secrets.ts';
import { newStageSession } from '../../../functions/core/api/stage/stage-session.ts';
import { configAs } from '../../support/access/assumed-role.ts';
import type { Service } from '../../support/deployed/deployed-stack.ts';
import { happening } from '../../support/deployed/happening.ts';
import { opsOn } from '../../support/deployed/ops-on.ts';
import { receiver } from '../../support/deployed/own-receiver.ts';
import { stack } from '../../support/deployed/shared-stack.ts';
import { eventually } from '../../support/eventually.ts';
import { ops } from '../../support/operator-run.ts';

const REFUSED = { status: 422, body: { type: 'urn:payhooks:problem:portal-code-refused' } };

let service: Service;
let id: string;

beforeAll(async () => {
  service = await stack.newService();
  const secret = { description: 's3cr3t', contact: 's3cr3t@shop.example' };
  ({ id } = await service.subscribe(await receiver.endpoint('stage-s3cr3t'), secret));
  await stack.publish(happening(service, { payment_id: 'pay-stage' }));
  await service.messages(id, (all) => all.some(({ state }) => state === 'succeeded'));
});

/** Runs `npm run ops -- console` as somebody in this role. */
async function consoleAs(role: 'OnCall' | 'Analyst', ...args: string[]): Promise<string> {
  const config = await configAs(role, stack.outputs.endpoint);
  const commands = consoleCommands(async () => ({
    ...(await localConsole(stack.outputs, config)),
    who: role,
  }));
  return (await ops(args, {}, commands)).printed;
}

function call(
  method: string,
  path: string,
  token: string | undefined,
  { body, of }: { readonly body?: unknown; readonly of?: string } = {},
) {
  const headers: Record<string, string> = of === undefined ? {} : { 'payhooks-service': of };
  return stack.request(method, path, { token, body, headers });
}

const codeIn = (printed: string) => /#code=(phc_stage_[\w-]{43})\n/.exec(printed)?.[1] ?? '';
const exchange = (code: string) => call('POST', '/stage/sessions/exchange', undefined, { body: { code } });

async function signedIn(rights: 'on-call' | 'analyst'): Promise<{ id: string; token: string }> {
  const printed = await consoleAs(
    rights === 'on-call' ? 'OnCall' : 'Analyst',
    'console',
    ...(rights === 'on-call' ? [] : ['--as', rights]),
  );
  const { body } = await exchange(codeIn(printed));
  expect(body.stage).toBe(rights);
  return { id: body.session_id, token: body.token };
}

async function operations(session: string): Promise<{ command: string; who: string }[]> {
  const { printed } = await opsOn(stack, 'audit', '--json', '--limit', '1000');
  return JSON.parse(printed).operations.filter(
    (one: { arguments: { session?: string } }) => one.arguments.session === session,
  );
}

test('a link works once and for ten minutes, ends with its session, and the trail has all of it', async () => {
  const code = codeIn(await consoleAs('OnCall', 'console', '--hours', '1'));
  const answers = await Promise.all(Array.from({ length: 5 }, () => exchange(code)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422, 422]);
  const { session_id, token, expires_at } = answers.find(({ status }) => status === 200)?.body ?? {};
  expect(Date.parse(expires_at) - Date.now()).toBeLessThanOrEqual(3_600_000);
  expect((await call('GET', '/stage/queues', token)).status).toBe(200);

  expect(await consoleAs('OnCall', 'end-console', session_id)).toContain('has ended');
  expect((await call('GET', '/stage/queues', token)).status).toBe(401);
  expect((await call('GET', '/subscriptions', token, { of: service.serviceId })).status).toBe(401);
  expect((await operations(session_id)).map(({ command, who }) => [command, who])).toEqual(
    expect.arrayContaining([
      ['console', 'OnCall'],
      ['console opened', 'OnCall'],
      ['end-console', 'OnCall'],
    ]),
  );
  expect(JSON.stringify(await operations(session_id))).not.toContain(code);

  const old = stageCodeOf(Buffer.alloc(32, 2));
  const wanted = { rights: 'on-call', who: 'me', lastsSeconds: 3_600 } as const;
  await stageSessionTable(stack.dynamodb, stack.outputs.tables.apiTokens).add(
    newStageSession(wanted, old, Date.now() - 600_000),
  );
  expect(await exchange(old)).toMatchObject(REFUSED);
  expect(await exchange(`phc_stage_${'a'.repeat(43)}`)).toMatchObject(REFUSED);

  const own = await signedIn('analyst');
  expect((await call('DELETE', '/stage/session', own.token)).status).toBe(204);
  expect((await call('GET', '/stage/queues', own.token)).status).toBe(401);
});

test('the person on call tries, then opens a circuit, sees it among those in trouble, and closes it; the analyst may not', async () => {
  const [onCall, analyst] = [await signedIn('on-call'), await signedIn('analyst')];
  const body = { service_id: service.serviceId, subscription_id: id, signal: 'open' };
  const operate = (token: string, more: object = {}) =>
    call('POST', '/stage/circuits', token, { body: { ...body, ...more } });

  expect(await operate(analyst.token, { dry_run: false })).toMatchObject({ status: 403 });
  expect(await operate(onCall.token)).toMatchObject({
    status: 200,
    body: { dry_run: true, from: 'closed', to: 'open', text: expect.stringContaining('It would be opened') },
  });
  expect((await service.subscription(id)).circuit.state).toBe('closed');
  expect(await operate(onCall.token, { dry_run: false })).toMatchObject({
    body: { dry_run: false, to: 'open' },
  });
  expect((await service.subscription(id)).circuit.state).toBe('open');
  expect(await operate(onCall.token, { dry_run: false })).toMatchObject({
    status: 409,
    body: { type: 'urn:payhooks:problem:circuit-unchanged' },
  });

  for (const { token } of [onCall, analyst]) {
    const found = await eventually('it is in trouble', async () => {
      const { body: seen } = await call('GET', '/stage/endpoints?limit=100', token);
      return seen.endpoints.find((one: { subscription_id: string }) => one.subscription_id === id);
    });
    expect(found).toMatchObject({
      service_id: service.serviceId,
      health: 'open by hand',
      circuit: { state: 'open' },
      callback_url: expect.stringMatching(/^http:\/\/[^/]+\/$/),
    });
  }
  const queues = await eventually('the queues are counted anew', async () => {
    const { body: seen } = await call('GET', '/stage/queues', analyst.token);
    return seen.open_circuits > 0 && seen;
  });
  expect(queues.work.map(({ runbook }: { runbook: string }) => runbook)).toEqual([
    'events-oldest',
    'deliveries-oldest',
    'retry-timers-oldest',
  ]);
  const hasOneThatNoRuleTakes = expect.arrayContaining([{ runbook: 'events-unclaimed', waiting: 0 }]);
  expect(queues.dead_letters).toEqual(hasOneThatNoRuleTakes);
  expect(queues.dead_letters).toHaveLength(6);

  expect((await operate(onCall.token, { dry_run: false, signal: 'close' })).status).toBe(200);
  expect((await service.call('GET', '/changes')).body.changes).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ operation: 'openCircuit', actor: 'operator', subscription_id: id }),
    ]),
  );
  expect((await operations(onCall.id)).map(({ command, who }) => [command, who])).toEqual(
    expect.arrayContaining([
      ['circuits open', 'OnCall'],
      ['circuits close', 'OnCall'],
    ]),
  );
});
