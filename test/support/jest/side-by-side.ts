import { spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * Runs the commands that it is given at the same time, and fails if one of them does. Files that share a
 * deployed stack run one after another in a process of their own: they mostly wait for clocks and queues, and
 * the others fill the processors meanwhile.
 */
const statuses = await Promise.all(
  process.argv.slice(2).map(async (command) => {
    // With pipes, Jest draws no progress, which would overwrite that of the others.
    const child = spawn(command, { shell: true, stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.pipe(process.stdout, { end: false });
    child.stderr.pipe(process.stderr, { end: false });
    const [status] = await once(child, 'close');
    return status;
  }),
);
process.exitCode = statuses.every((status) => status === 0) ? 0 : 1;
