import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PROJECT } from '../../../../lib/project-paths.ts';
import { ensureVenv } from '../../../../local/python/venv.ts';
import { javaFor } from '../../../support/java/engine.ts';

const run = promisify(execFile);
const JAVA = join(PROJECT, 'test/support/java');

/** Its Python may have to be installed first. */
jest.setTimeout(120_000);

test('on ARM there is no DynamoDB Local, with the reason', () => {
  const env = { PATH: '' };
  expect(javaFor('dynamodb-local', { env, arch: 'arm64' })).toBe('DynamoDB Local has no SQLite for arm64');
  expect(javaFor('elasticmq', { env, arch: 'arm64' })).toBe('Java 17 or newer is missing');
});

test('no library that an engine could report its use with is fetched', () => {
  const lists = globSync('*/libraries.sha256', { cwd: JAVA });
  expect(lists).toHaveLength(3);
  const lines = lists.flatMap((list) => readFileSync(join(JAVA, list), 'utf8').split('\n'));
  expect(lines.filter((line) => /pinpoint|cognito|telemetry|analytics/i.test(line))).toEqual([]);
});

/** Asks what keeps the items elsewhere, with a table `t` of the emulator. */
const ASK = `
import asyncio, json, sys
from types import SimpleNamespace
from elsewhere import items_at

table = {"Table": {"TableName": "t", "KeySchema": [], "AttributeDefinitions": []}}
dynamodb = SimpleNamespace(
    _tables={"t": 1}, _normalize_table_name=lambda name: name, _describe_table=lambda _: (200, {}, json.dumps(table))
)
async def emulator(*_):
    return 200, {}, b"from the emulator"

handle = items_at(sys.argv[1], dynamodb)(emulator)
try:
    answer = asyncio.run(handle("POST", "/", {"x-amz-target": f"DynamoDB_20120810.{sys.argv[2]}"}, '{"TableName": "t"}', {}))
    print(answer[2].decode())
except Exception as error:
    print(f"{type(error).__name__}: {error}")
`;

/** What is said of a call, when the engine answers `CreateTable` with this. */
async function said(action: string, createTable: { status: number; body: string }): Promise<string> {
  const server = createServer(({ headers }, response) => {
    const isCreation = headers['x-amz-target'] === 'DynamoDB_20120810.CreateTable';
    response.writeHead(isCreation ? createTable.status : 200);
    response.end(isCreation ? createTable.body : 'from the engine');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const python = await ensureVenv({
      name: 'venv',
      requirements: join(PROJECT, 'local/emulator/requirements.txt'),
      log: () => {},
    });
    const { port } = server.address() as AddressInfo;
    const { stdout } = await run(python, ['-c', ASK, `http://127.0.0.1:${port}`, action], {
      env: { PYTHONPATH: join(JAVA, 'dynamodb-local') },
    });
    return stdout.trim();
  } finally {
    server.close();
  }
}

test.each<[string, string, { status: number; body: string }, string]>([
  ['is taken to the engine', 'GetItem', { status: 200, body: '{}' }, 'from the engine'],
  [
    'is taken there, too, when its table was there already',
    'GetItem',
    { status: 400, body: '{"__type": "x#ResourceInUseException"}' },
    'from the engine',
  ],
  [
    'fails when its table cannot be made',
    'GetItem',
    { status: 400, body: 'too many indexes' },
    'RuntimeError: DynamoDB Local could not make t: 400 too many indexes',
  ],
  ['about a table stays with the emulator', 'DescribeTable', { status: 200, body: '' }, 'from the emulator'],
])('a call %s', async (_, action, createTable, expected) => {
  expect(await said(action, createTable)).toBe(expected);
});

test.each(['BatchExecuteStatement', 'ExecuteTransaction'])('%s is refused', async (action) => {
  expect(await said(action, { status: 200, body: '{}' })).toMatch(
    `NotImplementedError: ${action} is not taken`,
  );
});
