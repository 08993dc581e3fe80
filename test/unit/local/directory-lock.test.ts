import { spawnSync } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { lockDirectory } from '../../../local/directory-lock.ts';
import { removeScratch, scratch } from './scratch.ts';

afterEach(removeScratch);

test('a second stack in the same directory is refused, naming the process of the first', async () => {
  const directory = await scratch();
  await lockDirectory(directory);
  await expect(lockDirectory(directory)).rejects.toThrow(
    `A local stack is already running (process ${process.pid}, ${join(directory, 'locked-by')}). Stop that one first.`,
  );
});

test('a released directory can be locked again', async () => {
  const directory = await scratch();
  const unlock = await lockDirectory(directory);
  await unlock();
  expect(await readdir(directory)).toEqual([]);
  await lockDirectory(directory);
});

test('the lock of a dead process is taken over', async () => {
  const directory = await scratch();
  const { pid } = spawnSync('true');
  await writeFile(join(directory, 'locked-by'), String(pid));
  await lockDirectory(directory);
});

test('when many take over from a dead process at once, one succeeds', async () => {
  const directory = await scratch();
  const { pid } = spawnSync('true');
  for (let round = 0; round < 20; round += 1) {
    await writeFile(join(directory, 'locked-by'), String(pid));
    const takers = await Promise.allSettled(Array.from({ length: 8 }, () => lockDirectory(directory)));
    expect(takers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await readdir(directory)).toEqual(['locked-by']);
  }
});

test('a lock names its owner from the moment it exists', async () => {
  const directory = await scratch();
  await lockDirectory(directory);
  expect(await readFile(join(directory, 'locked-by'), 'utf8')).toBe(String(process.pid));
});
