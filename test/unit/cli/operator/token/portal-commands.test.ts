import { inMemoryOperators } from '../../../../../cli/operator/audit/audit-command.ts';
import { consoleCommands } from '../../../../../cli/operator/token/console-commands.ts';
import { portalCommands } from '../../../../../cli/operator/token/portal-commands.ts';
import type { StageAccess } from '../../../../../cli/stage/stage-access.ts';
import type { StageLinkRequest, stageLink } from '../../../../../functions/api/stage-link/stage-link.ts';
import { sessionIdOf } from '../../../../../functions/core/api/portal/portal-secrets.ts';
import { inMemoryPortalSessions } from '../../../../../functions/core/api/portal/portal-session-store.ts';
import { inMemoryRegistry } from '../../../../../functions/core/api/subscription-registry.ts';
import { keptSecrets, subscription } from '../../../../support/builders.ts';
import { ops } from '../../../../support/operator-run.ts';

const TEN = Date.parse('2026-11-14T10:00:00.000Z');

/** A stage with the service `shop`, which has the subscription `sub_1`. */
async function stage() {
  const [operators, sessions, subscriptions] = [
    inMemoryOperators(),
    inMemoryPortalSessions(),
    inMemoryRegistry(),
  ];
  await subscriptions.add(subscription({ subscription_id: 'sub_1', service_id: 'shop' }), keptSecrets());
  const access = async () => ({ operators: async () => operators }) as unknown as StageAccess;
  const commands = portalCommands(async () => ({ apiUrl: 'https://api.example', sessions, subscriptions }));
  const run = async (...args: string[]) => (await ops(args, { access, now: () => TEN }, commands)).printed;
  return { operators, sessions, run };
}

test('an operator lets somebody in to a service; both trails tell, and neither has the code', async () => {
  const { operators, sessions, run } = await stage();
  const printed = await run('portal', 'shop', '--manage', '--subscription', 'sub_1', '--hours', '1');

  const code = /^https:\/\/api\.example\/v1\/console#code=(phc_\S{43})\n/.exec(printed)?.[1] ?? '';
  const session_id = sessionIdOf(code);
  expect(await sessions.find(session_id)).toMatchObject({
    service_id: 'shop',
    rights: 'manage',
    subscriptions: ['sub_1'],
    expires_at_epoch_seconds: TEN / 1_000 + 3_600,
  });
  expect(printed).toContain(`npm run ops -- end-session shop ${session_id}`);
  expect(operators.entries).toMatchObject([
    { command: 'portal', arguments: { service: 'shop', rights: 'manage' }, outcome: { session_id } },
  ]);
  expect(operators.changes).toMatchObject([
    { service_id: 'shop', operation: 'createPortalSession', actor: 'operator' },
  ]);
  expect(JSON.stringify([operators.entries, operators.changes])).not.toContain(code);
});

test('a subscription that the service does not have is named, and nothing is made', async () => {
  const { operators, run } = await stage();
  await expect(run('portal', 'shop', '--subscription', 'sub_2')).rejects.toThrow(
    'shop has no subscription "sub_2"; it has sub_1.',
  );
  expect(operators.entries).toEqual([]);
});

test('on prod a link is made only when the name of the stage was typed again', async () => {
  const { operators, run } = await stage();
  await expect(run('portal', 'shop', '--stage', 'prod')).rejects.toThrow(
    'prod holds real payments. Repeat the name',
  );
  expect(operators.entries).toEqual([]);
  expect(await run('portal', 'shop', '--stage', 'prod', '--yes', '--confirm', 'prod')).toContain(
    'npm run ops -- end-session shop --stage prod ses_',
  );
});

test('an operator ends a session of the service, and of no other', async () => {
  const { operators, sessions, run } = await stage();
  const { session_id } = JSON.parse(await run('portal', 'shop', '--json'));

  await expect(run('end-session', 'bakery', session_id)).rejects.toThrow('bakery has no portal session');
  expect(await sessions.find(session_id)).not.toHaveProperty('revoked_at');

  expect(await run('end-session', 'shop', session_id)).toBe(`${session_id} has ended.\n`);
  expect(await sessions.find(session_id)).toMatchObject({ revoked_at: '2026-11-14T10:00:00.000Z' });
  expect(operators.changes.at(-1)).toMatchObject({ operation: 'revokePortalSession', actor: 'operator' });
});

const ID = 'stg_jrm2Q4Ev3ibAiZhepIZAhY';
const MADE = {
  session_id: ID,
  console_path: '/v1/console#code=phc_stage_x',
  link_expires_at: '2026-11-14T10:10:00.000Z',
  expires_at: '2026-11-14T18:00:00.000Z',
};

/** The commands of a stage whose functions answer this. */
function commands(answer: Awaited<ReturnType<typeof stageLink>>) {
  const asked: [string, StageLinkRequest][] = [];
  const given = consoleCommands(async () => ({
    apiUrl: 'https://api.example',
    who: 'arn:ada',
    async ask(rights, request) {
      asked.push([rights, request]);
      return answer;
    },
  }));
  const run = async (...args: string[]) => (await ops(args, {}, given)).printed;
  return { asked, run };
}

test('a link is made for on call, for eight hours, in the name of whoever asks', async () => {
  const { asked, run } = commands({ made: MADE });
  const printed = await run('console');
  expect(asked).toEqual([['on-call', { make: { who: 'arn:ada', lasts_seconds: 28_800 } }]]);
  expect(printed).toMatch(/^https:\/\/api\.example\/v1\/console#code=phc_stage_x\n/);
  expect(printed).toContain(`npm run ops -- end-console ${ID}`);
});

test('an analyst asks for one that looks, and for less time', async () => {
  const { asked, run } = commands({ made: MADE });
  expect(await run('console', '--as', 'analyst', '--hours', '0.5', '--stage', 'dev')).toContain(
    `end-console ${ID} --as analyst --stage dev`,
  );
  expect(asked).toEqual([['analyst', { make: { who: 'arn:ada', lasts_seconds: 1_800 } }]]);
});

test('a session is ended; one that is not there, or of the other kind, is said to be neither', async () => {
  expect(await commands({ ended: true }).run('end-console', ID)).toContain(`${ID} has ended.`);
  await expect(commands({ ended: false }).run('end-console', ID)).rejects.toThrow('has no session');
  const { asked, run } = commands({ ended: true });
  await expect(run('end-console', 'ses_1')).rejects.toThrow('has no session "ses_1" of on-call');
  expect(asked).toEqual([]);
});
