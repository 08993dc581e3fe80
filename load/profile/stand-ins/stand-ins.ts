import { fork } from 'node:child_process';
import { join } from 'node:path';
import { nextMessage } from './next-message.ts';
import type { Sent } from './queue-protocol.ts';

/** How the partner behaves from now on. */
export interface PartnerOptions {
  readonly status: number;
  readonly delayMs: number;
}

export interface Seen {
  readonly sent: readonly Sent[];
  /** That came in at the partner, headers included. */
  readonly partnerBytes: number;
  readonly requests: number;
}

/** Queues, a bus and a partner that take everything: what is sent can be handed on in batches of any size. */
export interface StandIns {
  readonly callbackUrl: string;
  readonly endpoint: string;
  queueUrl(name: string): string;
  behave(wanted: PartnerOptions): Promise<void>;
  /** What came in since the last time. */
  take(): Promise<Seen>;
  stop(): void;
}

export async function startStandIns(): Promise<StandIns> {
  const child = fork(join(import.meta.dirname, 'stand-ins-process.ts'));
  const { port } = await nextMessage<{ port: number }>(child);
  const endpoint = `http://127.0.0.1:${port}`;
  const ask = <Answer>(message: object) => {
    child.send(message);
    return nextMessage<Answer>(child);
  };
  return {
    endpoint,
    callbackUrl: `${endpoint}/hook`,
    queueUrl: (name) => `${endpoint}/000000000000/${name}`,
    async behave(wanted) {
      await ask({ wanted });
    },
    take: () => ask<Seen>({ take: true }),
    stop: () => void child.kill(),
  };
}
