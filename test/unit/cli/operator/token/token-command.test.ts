import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { inMemoryOperators } from '../../../../../cli/operator/audit/audit-command.ts';
import { tokenCommands } from '../../../../../cli/operator/token/token-commands.ts';
import type { StageAccess } from '../../../../../cli/stage/stage-access.ts';
import type { Operators } from '../../../../../functions/api/stage/recorded.ts';
import { tokenHash } from '../../../../../functions/core/api/api-token.ts';
import { type ApiTokenStore, inMemoryTokens } from '../../../../../functions/core/api/api-token-store.ts';
import { ops } from '../../../../support/operator-run.ts';
import { tokenRecord } from '../../../api/authorize/token-record.ts';

const TEN = Date.parse('2026-11-14T10:00:00.000Z');
const FIRST = 'tok_1111111111111111';

/** Two tokens of the service `shop`, one of them for ci and used up to a minute ago. */
async function twoTokens(): Promise<ApiTokenStore> {
  const tokens = inMemoryTokens();
  await tokens.put(
    tokenRecord({
      description: 'ci',
      scopes: ['read'],
      expires_at_epoch_seconds: TEN / 1_000 + 86_400,
      last_used_at: '2026-11-14T09:59:12.000Z',
    }),
  );
  await tokens.put(
    tokenRecord({
      token_hash: '2222222222222222ffff',
      token_id: 'tok_2222222222222222',
      created_at: '2026-01-02T00:00:00.000Z',
    }),
  );
  return tokens;
}

async function run(tokens: ApiTokenStore, ...args: string[]): Promise<string> {
  return runAs(inMemoryOperators(), tokens, ...args);
}

async function runAs(operators: Operators, tokens: ApiTokenStore, ...args: string[]): Promise<string> {
  const access = async () => ({ operators: async () => operators }) as unknown as StageAccess;
  const world = { access, now: () => TEN };
  return (
    await ops(
      ['token', ...args],
      world,
      tokenCommands(async () => tokens),
    )
  ).printed;
}

test('a token that was made is printed with its id, and found by its hash', async () => {
  const tokens = inMemoryTokens();
  const made = await run(tokens, 'create', 'shop', '--scopes', 'read', '--description', 'ci');

  const token = /^phk_\S{43}$/m.exec(made)?.[0] ?? '';
  expect(await tokens.find(tokenHash(token))).toMatchObject({ service_id: 'shop', scopes: ['read'] });
  expect(made).toContain(`Its id is tok_${tokenHash(token).slice(0, 16)}.`);
});

test('as JSON a token that was made tells all about it but its hash', async () => {
  const options = ['--expires-in-days', '2', '--requests-per-minute', '60', '--json'];
  const made = JSON.parse(await run(inMemoryTokens(), 'create', 'shop', ...options));

  expect(made).toEqual({
    token: expect.stringMatching(/^phk_/),
    token_id: expect.stringMatching(/^tok_[0-9a-f]{16}$/),
    service_id: 'shop',
    state: 'active',
    description: '',
    scopes: ['read', 'write'],
    requests_per_minute: 60,
    created_at: '2026-11-14T10:00:00.000Z',
    expires_at: '2026-11-16T10:00:00.000Z',
  });
});

test('the list tells of each token what it may do, until when, and when it was used', async () => {
  expect((await run(await twoTokens(), 'list', 'shop')).split('\n')).toEqual([
    'shop has 2 tokens, the oldest first; times are UTC:',
    '  token                 state   scopes      per minute  created     expires     last used         description',
    '  tok_1111111111111111  active  read        600         2026-01-01  2026-11-15  2026-11-14 09:59  ci',
    '  tok_2222222222222222  active  read,write  600         2026-01-02  never       never',
    '',
  ]);
});

test('a revoked token is refused at once, is listed as such, and stays on record for 30 days', async () => {
  const tokens = await twoTokens();

  expect(await run(tokens, 'revoke', 'shop', FIRST, '--yes')).toBe(
    `${FIRST} is revoked: whoever sends it is refused from the next request on.\n`,
  );
  expect(await tokens.find('1111111111111111ffff')).toMatchObject({
    revoked_at: '2026-11-14T10:00:00.000Z',
    remove_at_epoch_seconds: Date.parse('2026-12-24T10:00:00.000Z') / 1_000,
  });
  expect(await run(tokens, 'list', 'shop')).toMatch(/^ {2}tok_1{16} {2}revoked /m);
});

test('revoking once more changes nothing', async () => {
  const tokens = await twoTokens();
  await tokens.revoke('1111111111111111ffff', {
    revoked_at: '2026-11-01T00:00:00.000Z',
    remove_at_epoch_seconds: 1,
  });

  expect(await run(tokens, 'revoke', 'shop', FIRST)).toBe(
    `${FIRST} was revoked already, at 2026-11-01T00:00:00.000Z.\n`,
  );
  expect(await tokens.find('1111111111111111ffff')).toMatchObject({ remove_at_epoch_seconds: 1 });
});

test.each([
  ['shop', 'it has tok_1111111111111111 (ci), tok_2222222222222222'],
  ['other', 'other has no token tok_3333333333333333 on local; it has none'],
])('revoking a token that %s does not have names those that it has', async (service, sentence) => {
  await expect(run(await twoTokens(), 'revoke', service, 'tok_3333333333333333')).rejects.toThrow(sentence);
});

test('the token of one service is not revoked in the name of another', async () => {
  const tokens = await twoTokens();
  await expect(run(tokens, 'revoke', 'other', FIRST)).rejects.toThrow(`other has no token ${FIRST}`);
  expect(await tokens.find('1111111111111111ffff')).not.toHaveProperty('revoked_at');
});

test('without --yes revoking says what it would do, and does nothing', async () => {
  const tokens = await twoTokens();
  expect(await run(tokens, 'revoke', 'shop', FIRST)).toBe(
    `${FIRST} (ci) would be revoked, for good: whoever sends it is refused from the next request on; it was last used at 2026-11-14 09:59 UTC.\nNothing was changed. --yes does it.\n`,
  );
  expect(await tokens.find('1111111111111111ffff')).not.toHaveProperty('revoked_at');
});

test('on prod nothing is made or revoked unless its name is typed once more', async () => {
  const tokens = await twoTokens();
  const order = ['revoke', 'shop', FIRST, '--stage', 'prod', '--yes'];

  await expect(run(tokens, ...order)).rejects.toThrow('--stage prod --yes --confirm prod');
  expect(await run(tokens, ...order, '--confirm', 'prod')).toContain('is revoked');
  for (const some of [[], ['--yes'], ['--confirm', 'prod']]) {
    await expect(run(tokens, 'create', 'shop', '--stage', 'prod', ...some)).rejects.toThrow(
      '--stage prod --yes --confirm prod',
    );
  }
});

test('who makes and revokes tokens is in the trail, and what they did in that of the service, without the token', async () => {
  const operators = inMemoryOperators();
  const tokens = inMemoryTokens();
  const made = await runAs(operators, tokens, 'create', 'shop', '--description', 'ci', '--json');
  const { token, token_id } = JSON.parse(made);
  await runAs(operators, tokens, 'revoke', 'shop', token_id);
  await runAs(operators, tokens, 'revoke', 'shop', token_id, '--yes');
  await runAs(operators, tokens, 'revoke', 'shop', token_id, '--yes');

  expect(operators.entries).toMatchObject([
    { who: 'local', command: 'token create', arguments: { service: 'shop' }, outcome: { token_id } },
    { command: 'token revoke', arguments: { service: 'shop', token_id }, outcome: { revoked: 1 } },
  ]);
  expect(operators.entries).toHaveLength(2);
  expect(operators.changes).toMatchObject([
    { service_id: 'shop', actor: 'operator', operation: 'createToken', changed: { token: { to: token_id } } },
    {
      service_id: 'shop',
      actor: 'operator',
      operation: 'revokeToken',
      changed: { token: { from: token_id } },
    },
  ]);
  expect(JSON.stringify(operators)).not.toContain(token);
  expect(JSON.stringify(operators.changes)).not.toContain('local');
});

/** Runs the command as somebody who has no AWS account. */
function token(...args: string[]) {
  const { PATH } = process.env;
  const { status, stdout, stderr } = spawnSync(
    join(import.meta.dirname, '../../../../../node_modules/.bin/node'),
    [join(import.meta.dirname, '../../../../../bin/cli.ts'), 'token', ...args],
    {
      encoding: 'utf8',
      env: { PATH, HOME: '/nonexistent', AWS_REGION: 'eu-west-1', AWS_EC2_METADATA_DISABLED: 'true' },
    },
  );
  return { status, stdout, stderr };
}

test('without credentials it says what is wrong, and no more', () => {
  const { status, stdout, stderr } = token('create', 'shop', '--stage', 'dev');
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toBe('no AWS credentials were found: set AWS_PROFILE, or log in with: aws sso login\n');
});
