import { execFile, spawn, spawnSync } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';

/** A checker of docs/examples/order, with what runs it. */
export interface Checker {
  readonly language: string;
  /** Whether the machine has what it needs. */
  readonly isThere: boolean;
  /** Its verdicts on the webhooks of a file: JSON lines. */
  verdictsOn(file: string): Promise<string[]>;
}

const run = promisify(execFile);
const examples = path.join(import.meta.dirname, '../../../docs/examples/order');
const example = (name: string) => path.join(examples, name);
const drive = (name: string) => path.join(import.meta.dirname, name);
const has = (...command: [string, string]) => spawnSync(command[0], [command[1]]).status === 0;

export const CHECKERS: readonly Checker[] = [
  {
    language: 'Node',
    isThere: true,
    verdictsOn: (file) => ask(process.execPath, [drive('drive.mjs'), example('order.mjs')], file),
  },
  {
    language: 'Python (needs python3)',
    isThere: has('python3', '--version'),
    verdictsOn: (file) => ask('python3', [drive('drive.py'), example('order.py')], file),
  },
  {
    language: 'Java (needs a JDK)',
    isThere: has('javac', '--version'),
    verdictsOn: (file) =>
      inFolder(async (folder) => {
        const sources = [example('Order.java'), drive('Drive.java')];
        await run('javac', ['-encoding', 'UTF-8', '-d', folder, ...sources]);
        return ask('java', ['-cp', folder, 'Drive'], file);
      }),
  },
  {
    language: 'Go (needs go)',
    isThere: has('go', 'version'),
    verdictsOn: (file) =>
      inFolder(async (folder) => {
        await mkdir(path.join(folder, 'order'));
        await copyFile(example('order.go'), path.join(folder, 'order/order.go'));
        await copyFile(drive('drive.go'), path.join(folder, 'drive.go'));
        await writeFile(path.join(folder, 'go.mod'), 'module drive\n\ngo 1.21\n');
        await run('go', ['build', '-o', 'drive', '.'], {
          cwd: folder,
          env: { ...process.env, GOTOOLCHAIN: 'local', GOPROXY: 'off' },
        });
        return ask(path.join(folder, 'drive'), [], file);
      }),
  },
];

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(path.join(tmpdir(), 'order-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function ask(command: string, args: readonly string[], file: string): Promise<string[]> {
  const handle = await open(file);
  try {
    const child = spawn(command, args, { stdio: [handle.fd, 'pipe', 'inherit'] });
    const ended = new Promise((resolve) => child.on('close', resolve));
    const verdicts = (await text(child.stdout!)).trim().split('\n');
    if ((await ended) !== 0) {
      throw new Error(`${[command, ...args].join(' ')} failed after ${verdicts.length} verdicts`);
    }
    return verdicts;
  } finally {
    await handle.close();
  }
}
