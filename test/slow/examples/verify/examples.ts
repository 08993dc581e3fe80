import { execFile, spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';

/** A webhook as it comes to a receiver, and when it looks at it. */
export interface Received {
  readonly body: string | Buffer;
  readonly id?: string | undefined;
  readonly timestamp?: string | undefined;
  readonly signature?: string | undefined;
  /** What the receiver has: a secret, or a public key. */
  readonly secret: string;
  /** Unix seconds. @default - the clock of the example */
  readonly nowSeconds?: number | undefined;
}

const examples = path.join(import.meta.dirname, '../../../../docs/examples/verify');

/** Whether the machine has what an example needs. */
export const has = (command: string) => spawnSync(command, ['--version']).status === 0;

/** What an example says of each webhook. */
export type Example = (received: readonly Received[]) => Promise<readonly boolean[]>;

/** @param name what the file exports */
export function inNode(file: string, name: string): Example {
  return (received) =>
    ask(
      process.execPath,
      [path.join(import.meta.dirname, 'drive.mjs'), path.join(examples, file), name],
      received,
    );
}

export function inPython(python: string, file: string, name: string): Example {
  return (received) =>
    ask(python, [path.join(import.meta.dirname, 'drive.py'), path.join(examples, file), name], received);
}

export const inJava: Example = async (received) => {
  const classes = await mkdtemp(path.join(tmpdir(), 'verify-'));
  try {
    const sources = [path.join(examples, 'Verify.java'), path.join(import.meta.dirname, 'Drive.java')];
    await promisify(execFile)('javac', ['-encoding', 'UTF-8', '-d', classes, ...sources]);
    return await ask('java', ['-cp', classes, 'Drive'], received);
  } finally {
    await rm(classes, { recursive: true, force: true });
  }
};

async function ask(command: string, args: readonly string[], received: readonly Received[]) {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const answered = text(child.stdout);
  const ended = new Promise((resolve) => child.on('close', resolve));
  child.stdin.end(received.map((webhook) => `${line(webhook)}\n`).join(''));
  const answers = (await answered).trim().split('\n');
  if ((await ended) !== 0 || answers.length !== received.length) {
    throw new Error(
      `${command} ${args.join(' ')} gave ${answers.length} answers to ${received.length} webhooks`,
    );
  }
  return answers.map((answer) => answer === 'true');
}

function line({ body, id, timestamp, signature, secret, nowSeconds }: Received): string {
  const headers = [id, timestamp, signature].map((value) => (value === undefined ? '-' : base64(value)));
  return [
    base64(body),
    ...headers,
    base64(secret),
    nowSeconds === undefined ? '-' : base64(`${nowSeconds}`),
  ].join('\t');
}

const base64 = (text: string | Buffer) => Buffer.from(text).toString('base64');
