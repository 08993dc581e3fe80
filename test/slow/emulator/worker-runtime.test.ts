import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { PROJECT } from '../../../lib/project-paths.ts';
import { removeScratch, scratch } from '../../unit/local/scratch.ts';

afterEach(removeScratch);

/** Its invocations end when another invocation releases them. */
const HANDLER = `
  console.log('loading');
  const waiting = new Map();
  export const handler = async ({ name, releases, fails, size = 0 }, context) => {
    console.log(name, 'begins');
    if (releases === undefined) await new Promise((resolve) => waiting.set(name, resolve));
    else waiting.get(releases)();
    console.error(name, 'ends', context.awsRequestId);
    if (name === 'late') setTimeout(() => console.log('after the answer'), 1);
    await new Promise((resolve) => process.stdout.write('', resolve));
    if (fails) throw new RangeError('as asked');
    return { name, hasTime: context.getRemainingTimeInMillis() > 0, ...(size > 0 && { large: 'x'.repeat(size) }) };
  };
  export const word = 'no function';
`;

type Answer = Readonly<Record<string, unknown>>;

/** A process that runs this handler. */
async function started(handler = 'handler', code = HANDLER) {
  const directory = await scratch();
  await writeFile(join(directory, 'index.mjs'), code);
  const process = spawn('node', [join(PROJECT, 'local', 'emulator', 'worker-runtime.ts')], { stdio: 'pipe' });
  const lines = createInterface({ input: process.stdout })[Symbol.asyncIterator]();
  const next = async () => JSON.parse(String((await lines.next()).value)) as Answer;
  const say = (line: object) => process.stdin.write(`${JSON.stringify(line)}\n`);
  say({ code_dir: directory, module: 'index', handler });
  return { process, next, say, began: await next() };
}

const invocation = (request_id: string, event: object) => ({ request_id, event, timeout_ms: 5_000 });

async function end(process: ChildProcessWithoutNullStreams): Promise<number | null> {
  process.stdin.end();
  const [code] = (await once(process, 'exit')) as [number | null];
  return code;
}

test('invocations run concurrently, and each gets its own log', async () => {
  const { process, next, say, began } = await started();
  expect(began).toEqual({ status: 'ready' });

  say(invocation('1', { name: 'first' }));
  say(invocation('2', { name: 'second', releases: 'first' }));

  const answers = [await next(), await next()].toSorted((one, other) =>
    String(one.request_id).localeCompare(String(other.request_id)),
  );
  expect(answers).toEqual([
    {
      request_id: '1',
      status: 'ok',
      result: { name: 'first', hasTime: true },
      log: 'loading\nfirst begins\nfirst ends 1',
    },
    {
      request_id: '2',
      status: 'ok',
      result: { name: 'second', hasTime: true },
      log: 'second begins\nsecond ends 2',
    },
  ]);
  expect(await end(process)).toBe(0);
});

test("answers larger than a pipe's buffer arrive whole, one after another", async () => {
  const { process, next, say } = await started();
  const size = 300_000;
  for (const id of ['1', '2', '3']) say(invocation(id, { name: id, size }));
  for (const id of ['1', '2', '3']) say(invocation(`r${id}`, { name: `r${id}`, releases: id, size }));

  const answers = [];
  for (let index = 0; index < 6; index += 1) answers.push(await next());

  expect(answers.map(({ request_id }) => request_id).toSorted()).toEqual(['1', '2', '3', 'r1', 'r2', 'r3']);
  expect(answers.map(({ result }) => (result as { large: string }).large.length)).toEqual(
    Array(6).fill(size),
  );
  await end(process);
});

test('lines logged after the answer are returned with the next one', async () => {
  const { process, next, say } = await started();
  say(invocation('1', { name: 'first' }));
  say(invocation('2', { name: 'late', releases: 'first' }));
  await next();
  await next();
  let logged = '';
  for (let id = 3; !logged.includes('after the answer'); id += 2) {
    say(invocation(`${id}`, { name: `${id}` }));
    say(invocation(`${id + 1}`, { name: 'again', releases: `${id}` }));
    logged += `${(await next()).log}\n${(await next()).log}\n`;
  }
  await end(process);
});

test('a failing invocation does not end others', async () => {
  const { process, next, say } = await started();

  say(invocation('1', { name: 'first' }));
  say(invocation('2', { name: 'second', releases: 'first', fails: true }));

  const answers = [await next(), await next()];
  expect(answers).toContainEqual(expect.objectContaining({ request_id: '1', status: 'ok' }));
  expect(answers).toContainEqual(
    expect.objectContaining({
      request_id: '2',
      status: 'error',
      error: 'as asked',
      trace: expect.stringContaining('RangeError: as asked'),
    }),
  );
  await end(process);
});

test('after killing the process, its log so far can be read', async () => {
  const { process, next, say } = await started();
  say(invocation('1', { name: 'first' }));
  // Its answer proves that the previous line was read.
  say(invocation('2', { name: 'second', fails: true, releases: 'first' }));
  await next();
  await next();
  say(invocation('3', { name: 'third' }));
  say(invocation('4', { name: 'fourth', releases: 'nobody' }));
  await next();

  process.kill('SIGTERM');

  expect(await text(process.stderr)).toBe('third begins\n');
});

test.each([
  ['absent', HANDLER, 'TypeError: index.mjs exports no function absent'],
  ['word', HANDLER, 'TypeError: index.mjs exports no function word'],
  ['handler', 'throw new Error("on its way")', 'Error: on its way'],
])('a function that cannot be loaded is reported: %s', async (handler, code, error) => {
  const { process, began } = await started(handler, code);
  expect(began).toEqual({ status: 'error', error });
  await end(process);
});
