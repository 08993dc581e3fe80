import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { type Command, EXAMPLES, SETTINGS } from './frameworks.ts';

/** An example that serves on a free port. */
export interface Served {
  readonly url: string;
  /** What it printed of the webhooks that it kept. */
  readonly kept: readonly string[];
  stop(): Promise<void>;
}

/** Next.js, PHP and Ruby's WEBrick say in their own words where they listen. */
const LISTENING =
  /listening on port (\d+)|^- Local: +http:\/\/127\.0\.0\.1:(\d+)|\(http:\/\/127\.0\.0\.1:(\d+)\) started|#start: pid=\d+ port=(\d+)/;

/** Serves an example with a secret. @param temporary for what it stores */
export async function serve([file, ...args]: Command, route: string, SECRET: string, temporary: string) {
  const child = spawn(file, args, {
    cwd: EXAMPLES,
    env: { ...SETTINGS, SECRET, PORT: '0', INBOX: await mkdtemp(path.join(temporary, 'inbox-')) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const kept: string[] = [];
  const port = await new Promise<string>((resolve, reject) => {
    const last: string[] = [];
    child
      .once('error', reject)
      .once('close', () => reject(new Error(`${file} ended before it listened:\n${last.join('\n')}`)));
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on('line', (line) => {
        last.push(line);
        const [on] = (LISTENING.exec(line) ?? []).slice(1).filter(Boolean);
        if (on !== undefined) resolve(on);
        if (line.startsWith('kept ')) kept.push(line);
      });
    }
  });
  const served: Served = {
    url: `http://127.0.0.1:${port}${route}`,
    kept,
    async stop() {
      child.kill('SIGKILL');
      await once(child, 'close');
    },
  };
  return served;
}
