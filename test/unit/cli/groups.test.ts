import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { readGroup } from '../../../bin/groups.ts';
import { PROJECT } from '../../../lib/project-paths.ts';

test.each([
  ['ops', ['redrive', 'deliveries', '--help']],
  ['webhooks', ['tail', '--json']],
  ['local', ['--port', '4600']],
  ['token', ['create', 'bakery']],
  ['console', []],
  ['portal', ['bakery']],
])('%s takes all that is typed behind it', (name, args) => {
  expect(readGroup([name, ...args])).toMatchObject({ kind: 'group', group: { name }, args });
});

test('the overview begins with an example, and lists each group', () => {
  for (const asked of [['--help'], ['help']]) {
    const read = readGroup(asked);
    expect(read).toMatchObject({ kind: 'told', isAsked: true });
    const { text } = read as { text: string };
    expect(text.split('\n')[0]).toBe('Example: npx payhooks local');
    expect([...text.matchAll(/^ {2}([a-z]\S+) {2,}\S/gm)].map(([, name]) => name)).toEqual(
      expect.arrayContaining(['local', 'webhooks', 'ops', 'token', 'console', 'portal']),
    );
  }
  expect(readGroup([])).toMatchObject({ kind: 'told', isAsked: false });
});

test('what is not a group is refused, with what was perhaps meant', () => {
  expect(() => readGroup(['opss'])).toThrow(
    "unknown command 'opss'\n(Did you mean ops?)\nAll commands: npx payhooks --help",
  );
});

function typed(...args: string[]) {
  const node = path.join(PROJECT, 'node_modules/.bin/node');
  const { status, stdout, stderr } = spawnSync(node, [path.join(PROJECT, 'bin/cli.ts'), ...args], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH },
  });
  return { status, stdout, stderr };
}

test('from a command line: token is short for ops token, and a word too many is an error of one line', () => {
  expect(typed('token', 'create', '--help').stdout).toBe(typed('ops', 'token', 'create', '--help').stdout);
  expect(typed('--version')).toMatchObject({ status: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
  expect(typed('tail')).toEqual({
    status: 1,
    stdout: '',
    stderr: "unknown command 'tail'\nAll commands: npx payhooks --help\n",
  });
});
