import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { PROJECT } from '../../../lib/project-paths.ts';
import { openConsole, signIn } from '../../support/browser/console-page.ts';
import { looking } from '../../support/browser/own-viewer.ts';

/** What it serves is made of: a copy, to be changed while other tests run. */
const SOURCES = [
  'build',
  'cli',
  'console',
  'events',
  'functions',
  'lib',
  'package.json',
  'payhooks.config.ts',
  'tsconfig.json',
];

let copy: string;

beforeAll(async () => {
  copy = await mkdtemp(path.join(tmpdir(), 'payhooks-'));
  await Promise.all(
    SOURCES.map((name) => cp(path.join(PROJECT, name), path.join(copy, name), { recursive: true })),
  );
  await symlink(path.join(PROJECT, 'node_modules'), path.join(copy, 'node_modules'));
});
afterAll(() => rm(copy, { recursive: true, force: true }));

/** As docs/contributing.md says, on a port that is free. */
async function serve(): Promise<{ readonly server: ChildProcess; readonly url: string }> {
  const env = {
    ...process.env,
    PAYHOOKS_STACK_DIRECTORY: path.dirname(process.env.PAYHOOKS_TEST_OUTPUTS ?? ''),
  };
  const server = spawn(process.execPath, ['build/serve-console.ts', '0'], {
    ...{ cwd: copy, env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(createInterface({ input: server.stdout }), 'line');
  return { server, url: /^(http:\S+)\/v1\/console, before /.exec(line)?.[1] ?? line };
}

test('the page before a running stack shows a change of its sources at once, signed in as before', async () => {
  const { server, url } = await serve();
  const { page, ...console } = await openConsole(looking.browser, url);
  await signIn({ page, ...console }, looking.partner.token);
  await page.getByRole('heading', { name: 'Subscriptions' }).waitFor();

  const texts = path.join(copy, 'console/texts.ts');
  const before = await readFile(texts, 'utf8');
  const startMs = performance.now();
  await writeFile(texts, before.replace("title: 'Subscriptions'", "title: 'Changed just now'"));
  await page.getByRole('heading', { name: 'Changed just now' }).waitFor();
  process.stderr.write(`seen after ${((performance.now() - startMs) / 1_000).toFixed(1)} s\n`);
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
  await console.close();

  server.kill('SIGINT');
  await once(server, 'exit');
  await expect(fetch(url)).rejects.toThrow('fetch failed');
});
