import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** Runs the command as somebody who has no AWS account. */
function token(...args: string[]) {
  const { PATH } = process.env;
  const { status, stdout, stderr } = spawnSync(
    join(import.meta.dirname, '../../../../../node_modules/.bin/node'),
    [join(import.meta.dirname, '../../../../../bin/ops.ts'), 'token', ...args],
    {
      encoding: 'utf8',
      env: { PATH, HOME: '/nonexistent', AWS_REGION: 'eu-west-1', AWS_EC2_METADATA_DISABLED: 'true' },
    },
  );
  return { status, stdout, stderr };
}

const MORE = [
  "Example: npm run ops -- token create bakery --description 'back office' --expires-in-days 365",
  'All about it: npm run ops -- token create --help',
];

test('the command explains itself', () => {
  const { status, stdout } = token('--help');
  expect(status).toBe(0);
  expect(stdout).toContain('token revoke <service> <token_id>');
});

test.each([
  [
    'another command',
    ['destroy', 'shop'],
    [
      'There is no command "token destroy".',
      'There is token create, token list, token revoke.',
      'What each does: npm run ops -- --help',
    ],
  ],
  ['no service', ['create'], ['token create needs <service>; nothing was given', ...MORE]],
  [
    'values that will not do',
    ['create', 'shop one', '--stage', 'staging', '--expires-in-days', '0'],
    [
      '<service>: must be 1 to 64 of A-Z a-z 0-9 _ -, not "shop one"',
      '--expires-in-days: must be a whole number from 1 to 9999, not "0"',
      '--stage: must be one of local, dev, prod, not "staging"',
      ...MORE,
    ],
  ],
  [
    'no credentials',
    ['create', 'shop', '--stage', 'dev'],
    ['no AWS credentials were found: set AWS_PROFILE, or log in with: aws sso login'],
  ],
])('with %s it says what is wrong, and no more', (_, args, lines) => {
  const { status, stdout, stderr } = token(...args);

  expect(status).toBe(1);
  expect(stdout).toBe('');
  expect(stderr.trim().split('\n')).toEqual(lines);
});
