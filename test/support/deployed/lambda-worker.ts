import { linesOf, stackProcesses } from '../../../local/worker-processes.ts';

/**
 * Kills, as a crash would, the worker process of a function that sent something from a port of this machine.
 * It only kills a worker of the stack that all tests share. Needs `ps` and `lsof`.
 *
 * @throws when no worker of this stack and function has that port open
 */
export async function killWorker(functionName: string, senderPort: number): Promise<void> {
  const workers = (await stackProcesses(process.env.PAYHOOKS_TEST_OUTPUTS ?? '')).workers.filter(({ args }) =>
    args.includes(`-${functionName}`),
  );
  const holders = await linesOf('lsof', ['-nP', '-t', `-iTCP:${senderPort}`]);
  const worker = workers.find(({ pid }) => holders.includes(String(pid)));
  if (worker === undefined) {
    throw new Error(`no worker of ${functionName} has port ${senderPort} open: ${JSON.stringify(workers)}`);
  }
  process.kill(worker.pid, 'SIGKILL');
}
