import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

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

test.each([
  [
    'no service',
    ['create'],
    [
      "missing required argument 'service'",
      "Example: npm run ops -- token create bakery --description 'back office' --expires-in-days 365",
      'All about it: npm run ops -- token create --help',
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
