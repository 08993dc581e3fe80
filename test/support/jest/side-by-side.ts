import { spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * Runs the lanes that it is given at the same time: `first; second` runs one after the other, also if the
 * first one fails. It fails if any command does. Files that share a deployed stack run one after another in a
 * process of their own: they mostly wait for clocks and queues, and the others fill the processors meanwhile.
 */
const succeeded = await Promise.all(
  process.argv.slice(2).map(async (lane) => {
    let all = true;
    for (const command of lane.split(';')) all = (await succeeds(command)) && all;
    return all;
  }),
);
process.exitCode = succeeded.every(Boolean) ? 0 : 1;

async function succeeds(command: string): Promise<boolean> {
  // With pipes, Jest draws no progress, which would overwrite that of the others.
  const child = spawn(command, { shell: true, stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.pipe(process.stdout, { end: false });
  child.stderr.pipe(process.stderr, { end: false });
  const [status] = await once(child, 'close');
  return status === 0;
}
