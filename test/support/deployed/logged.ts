import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import {
  CloudWatchLogsClient,
  paginateDescribeLogGroups,
  paginateFilterLogEvents,
} from '@aws-sdk/client-cloudwatch-logs';
import { clientConfig } from '../../../cli/stage/local-account.ts';
import type { DeployedStack } from './deployed-stack.ts';

/** The emulator returns only the first events, without a next page. */
const PAGE = 10_000;

/** All log lines of our functions since then, in ms since 1970. */
export async function logged({ outputs }: DeployedStack, startTime: number): Promise<string> {
  const client = new CloudWatchLogsClient(clientConfig(outputs.endpoint));
  const lines: (string | undefined)[] = [];
  for await (const { logGroups = [] } of paginateDescribeLogGroups({ client }, {})) {
    for (const { logGroupName } of logGroups) {
      for await (const { events = [] } of paginateFilterLogEvents({ client }, { logGroupName, startTime })) {
        expect(events.length).toBeLessThan(PAGE);
        lines.push(...events.map(({ message }) => message));
      }
    }
  }
  client.destroy();
  return lines.join('\n');
}

/**
 * Kills, as a crash would, the worker process of a function that sent something from a port of this machine.
 * It only kills a worker of the stack that all tests share. Needs `ps` and `lsof`.
 *
 * @throws when no worker of this stack and function has that port open
 */
export async function killWorker(functionName: string, senderPort: number): Promise<void> {
  const workers = (await workersOf(process.env.PAYHOOKS_TEST_OUTPUTS ?? '')).filter(({ args }) =>
    args.includes(`-${functionName}`),
  );
  const holders = await linesOf('lsof', ['-nP', '-t', `-iTCP:${senderPort}`]);
  const worker = workers.find(({ pid }) => holders.includes(String(pid)));
  if (worker === undefined) {
    throw new Error(`no worker of ${functionName} has port ${senderPort} open: ${JSON.stringify(workers)}`);
  }
  process.kill(worker.pid, 'SIGKILL');
}

/** The worker processes of the stack with these outputs. */
async function workersOf(outputsFile: string) {
  const processes = (await linesOf('ps', ['-axww', '-o', 'pid=,args='])).map((line) => {
    const [, pid, args = ''] = /^\s*(\d+) (.*)$/.exec(line) ?? [];
    return { pid: Number(pid), args };
  });
  // The emulator gets the folder of its workers and this file, to remove them at exit.
  const launcher = processes.find(
    ({ args }) => args.includes('launcher.py') && args.endsWith(` ${outputsFile}`),
  );
  const [folder] = /\S+(?= \S+$)/.exec(launcher?.args ?? '') ?? [];
  return processes.filter(
    (one) => one !== launcher && folder !== undefined && one.args.includes(`${folder}/`),
  );
}

/** What a command prints, without empty lines. */
async function linesOf(command: string, args: readonly string[]): Promise<string[]> {
  const { stdout } = await promisify(execFile)(command, args, { maxBuffer: 16 * 1024 * 1024 });
  return stdout.split('\n').filter((line) => line !== '');
}
