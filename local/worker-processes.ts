import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** A process of a running local stack. */
export interface StackProcess {
  readonly pid: number;
  readonly rssMb: number;
  readonly args: string;
}

/** The emulator of the stack with these outputs, and the workers of its functions. Needs `ps`. */
export async function stackProcesses(
  outputsFile: string,
): Promise<{ readonly emulator: readonly StackProcess[]; readonly workers: readonly StackProcess[] }> {
  const processes = (await linesOf('ps', ['-axww', '-o', 'pid=,rss=,args='])).map((line) => {
    const [, pid, rss, args] = /^\s*(\d+)\s+(\d+) (.*)$/.exec(line) ?? [];
    return { pid: Number(pid), rssMb: Number(rss) / 1_024, args: args ?? '' };
  });
  // This stack's emulator gets these two paths to remove at exit; its workers are its descendants.
  const emulator = processes.filter(
    ({ args }) => args.includes('launcher.py') && args.endsWith(` ${outputsFile}`),
  );
  const [temporary] = /\S+(?= \S+$)/.exec(emulator[0]?.args ?? '') ?? [];
  const workers = processes.filter(
    ({ args }) => temporary !== undefined && args.includes(`${temporary}/`) && !args.includes('launcher.py'),
  );
  return { emulator, workers };
}

/** What a command prints, without empty lines. */
export async function linesOf(command: string, args: readonly string[]): Promise<string[]> {
  const { stdout } = await promisify(execFile)(command, args, { maxBuffer: 16 * 1024 * 1024 });
  return stdout.split('\n').filter((line) => line !== '');
}
