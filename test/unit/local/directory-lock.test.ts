import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { lockDirectory } from '../../../local/directory-lock.ts';
import { removeScratch, scratch } from './scratch.ts';

const LOCK = join(import.meta.dirname, '../../../local/directory-lock.ts');

afterEach(removeScratch);

test('a second stack in the same directory is refused', async () => {
  const directory = await scratch();
  const unlock = lockDirectory(directory);
  expect(() => lockDirectory(directory)).toThrow(
    `A local stack is already running in ${directory}. Stop that one first.`,
  );
  unlock();
});

test('a released directory can be locked again', async () => {
  const directory = await scratch();
  lockDirectory(directory)();
  lockDirectory(directory)();
});

test('the lock of another process is kept while it lives, and taken over once it is dead', async () => {
  const directory = await scratch();
  const script = `(await import(${JSON.stringify(LOCK)})).lockDirectory(${JSON.stringify(directory)}); console.log('locked'); setInterval(() => {}, 1000)`;
  const owner = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(owner.stdout, 'data');
  expect(() => lockDirectory(directory)).toThrow('already running');
  owner.kill('SIGKILL');
  await once(owner, 'exit');
  lockDirectory(directory)();
});
