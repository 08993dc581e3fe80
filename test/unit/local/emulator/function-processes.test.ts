import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SMALL_HEAPS, sideBySideIn } from '../../../../local/emulator/function-processes.ts';
import { removeScratch, scratch } from '../scratch.ts';

afterEach(removeScratch);

test('the runtime of functions is one file without types, and runs with the limits that functions have', async () => {
  const directory = await scratch();
  const { SIDE_BY_SIDE_RUNTIME = '' } = sideBySideIn(directory);
  await writeFile(join(directory, 'index.mjs'), 'export const handler = () => {};');

  const process = spawn('node', ['--no-experimental-strip-types', SIDE_BY_SIDE_RUNTIME], {
    env: { PATH: globalThis.process.env.PATH, ...SMALL_HEAPS },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  process.stdin.end(`${JSON.stringify({ code_dir: directory, module: 'index', handler: 'handler' })}\n`);
  const [answer] = await once(process.stdout, 'data');

  expect(JSON.parse(String(answer))).toEqual({ status: 'ready' });
  expect(await once(process, 'exit')).toEqual([0, null]);
});
