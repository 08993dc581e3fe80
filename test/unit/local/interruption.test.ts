import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

const MODULE = path.resolve(import.meta.dirname, '../../../local/interruption.ts');

/** Prints when it is interrupted. A shell runs between it and us, as with npm. */
function startBehindShell(env: Record<string, string>) {
  const program = `import { interruption } from ${JSON.stringify(MODULE)};
    const stay = setInterval(() => {}, 1_000);
    const signal = interruption((line) => console.log(line));
    signal.addEventListener('abort', () => { console.log(signal.reason.message); clearInterval(stay); });
    console.log('up');`;
  return spawn('sh', ['-c', `"${process.execPath}" --input-type=module --eval "$PROGRAM"; true`], {
    env: { PATH: process.env.PATH ?? '', PROGRAM: program, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

test('a program that npm started ends when npm has ended, even without a signal', async () => {
  const shell = startBehindShell({ npm_lifecycle_event: 'local' });
  const lines: string[] = [];
  shell.stdout.setEncoding('utf8').on('data', (text: string) => {
    lines.push(...text.split('\n').filter(Boolean));
    if (text.includes('up')) {
      shell.kill('SIGKILL');
    }
  });
  await once(shell.stdout, 'close');
  expect(lines).toEqual(['up', 'Stopping', 'the end of npm']);
});
