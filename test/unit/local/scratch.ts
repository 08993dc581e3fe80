import { chmod, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const made: string[] = [];

/** An empty directory, removed by `removeScratch`. */
export async function scratch(): Promise<string> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), 'payhooks-test-')));
  made.push(directory);
  return directory;
}

export async function removeScratch(): Promise<void> {
  await Promise.all(made.splice(0).map((directory) => rm(directory, { recursive: true, force: true })));
}

export async function shellScript(directory: string, name: string, body: string): Promise<string> {
  const file = join(directory, name);
  await writeFile(file, `#!/bin/sh\n${body}\n`);
  await chmod(file, 0o755);
  return file;
}
