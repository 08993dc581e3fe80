import { execFile, spawn } from 'node:child_process';
import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { LOCAL_DIRECTORY, PROJECT, searchPath } from '../../../lib/project-paths.ts';
import { ensureVenv } from '../../../local/python/venv.ts';
import { fences, pages } from '../documented/pages.ts';

const run = promisify(execFile);
const REQUIREMENTS = path.join(PROJECT, 'local/emulator/requirements.txt');

/** What the README says to do in an empty folder. */
interface OwnApp {
  /** Texts by the path of their file. */
  readonly files: ReadonlyMap<string, string>;
  /** In their order, without comments. */
  readonly commands: readonly string[];
}

export function documentedApp(): OwnApp {
  const readme = pages().find(({ name }) => name === 'README.md');
  const [, section = ''] = readme?.text.split('\n## In your own app\n') ?? [];
  const [text = ''] = section.split('\n## ');
  const files = [...text.matchAll(/^`([^`]+)`[^\n]*:\n\n```\w+\n([\s\S]*?)^```$/gm)];
  const commands = fences({ name: 'README.md', text })
    .filter(({ info }) => info === 'sh app')
    .flatMap(({ text }) => text.trimEnd().split('\n'));
  return {
    files: new Map(files.map(([, file = '', content = '']) => [file, content])),
    commands: commands.map((line) => line.replace(/ *#.*$/, '')),
  };
}

/** What a user installs from a registry. Linked, so that tests need no network. */
const FROM_REGISTRY = ['aws-cdk-lib', 'constructs', 'aws-cdk', 'typescript', 'node'];

/** The folder of an app that is not in ours: nothing of our `node_modules` is found from it. */
export interface Folder {
  readonly path: string;
  /** Runs a command there, as a person would; resolves to what it prints. */
  run(command: string, ...args: string[]): Promise<string>;
  /** Starts a command there, with a process group that the caller has to end. */
  start(command: string, ...args: string[]): ReturnType<typeof spawn>;
}

export function folderAt(folder: string): Folder {
  const env = {
    PATH: [path.join(folder, 'node_modules/.bin'), searchPath(process.env)].join(path.delimiter),
    HOME: process.env.HOME,
    npm_config_offline: 'true',
    npm_config_update_notifier: 'false',
    CDK_DISABLE_CLI_TELEMETRY: 'true',
    CDK_DISABLE_VERSION_CHECK: 'true',
  };
  return {
    path: folder,
    async run(command, ...args) {
      const { stdout } = await run(command, args, { cwd: folder, env, maxBuffer: 64 * 1024 * 1024 });
      return stdout;
    },
    // A group of its own, which Ctrl-C reaches as a whole: npx does not pass signals on.
    start: (command, ...args) =>
      spawn(command, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true }),
  };
}

/** Makes the app of the README in a folder, with the package from a file. */
export async function makeOwnApp(folder: Folder, { files }: OwnApp, packed: string): Promise<void> {
  await folder.run('npm', 'init', '-y', '--init-type', 'module');
  // Peers are not fetched: they are linked below.
  await folder.run('npm', 'install', '--legacy-peer-deps', '--no-audit', '--no-fund', packed);
  const modules = path.join(folder.path, 'node_modules');
  for (const name of FROM_REGISTRY) {
    await symlink(path.join(PROJECT, 'node_modules', name), path.join(modules, name));
  }
  for (const command of ['cdk', 'tsc', 'node']) {
    await symlink(path.join(PROJECT, 'node_modules/.bin', command), path.join(modules, '.bin', command));
  }
  // Like those: pip would fetch the emulator.
  await ensureVenv({ name: 'venv', requirements: REQUIREMENTS, log: () => {} });
  await mkdir(path.join(folder.path, '.local'));
  await symlink(path.join(LOCAL_DIRECTORY, 'venv'), path.join(folder.path, '.local/venv'));
  for (const [file, text] of files) {
    await mkdir(path.dirname(path.join(folder.path, file)), { recursive: true });
    await writeFile(path.join(folder.path, file), text);
  }
}

/** The names of what is installed in a folder. */
export async function installedIn({ path: folder }: Folder): Promise<string[]> {
  const names = await readdir(path.join(folder, 'node_modules'));
  return names.filter((name) => !name.startsWith('.')).sort();
}
