import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/**
 * Kills, as a crash would, the worker process of a function that sent something from a port of this machine.
 * It only kills a worker of the stack with these outputs. Needs `ps` and `lsof`.
 *
 * @throws when no worker of this stack and function has that port open
 */
export async function killWorker(
  functionName: string,
  senderPort: number,
  outputsFile = process.env.PAYHOOKS_TEST_OUTPUTS ?? '',
): Promise<void> {
  const processes = (await lines('ps', ['-axww', '-o', 'pid=,args='])).map((line) => {
    const [, pid, args] = /^\s*(\d+) (.*)$/.exec(line) ?? [];
    return { pid: Number(pid), args: args ?? '' };
  });
  // This stack's emulator gets these two paths to remove at exit; its workers are its descendants.
  const launcher = processes.find(({ args }) => args.includes('launcher.py') && args.endsWith(outputsFile));
  const [temporary] = /\S+(?= \S+$)/.exec(launcher?.args ?? '') ?? [];
  const workers = processes.filter(
    ({ args }) =>
      temporary !== undefined && args.includes(`${temporary}/`) && args.includes(`-${functionName}`),
  );
  const holders = await lines('lsof', ['-nP', '-t', `-iTCP:${senderPort}`]);
  const worker = workers.find(({ pid }) => holders.includes(String(pid)));
  if (worker === undefined) {
    throw new Error(`no worker of ${functionName} has port ${senderPort} open: ${JSON.stringify(workers)}`);
  }
  process.kill(worker.pid, 'SIGKILL');
}

async function lines(command: string, args: readonly string[]): Promise<string[]> {
  const { stdout } = await promisify(execFile)(command, args, { maxBuffer: 16 * 1024 * 1024 });
  return stdout.split('\n').filter((line) => line !== '');
}
