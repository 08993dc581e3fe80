import { fork } from 'node:child_process';
import { join } from 'node:path';
import { nextMessage } from './next-message.ts';
import type { Sent } from './queue-protocol.ts';

/** Behaviour of the partner. */
export interface PartnerOptions {
  readonly status: number;
  readonly delayMs: number;
}

interface Seen {
  readonly sent: readonly Sent[];
  /** Received by the partner, headers included. */
  readonly partnerBytes: number;
}

/**
 * Queues, a bus and a partner that accept everything. Sent messages can be passed on in batches of any size.
 */
export interface StandIns {
  readonly callbackUrl: string;
  readonly endpoint: string;
  queueUrl(name: string): string;
  behave(partner: PartnerOptions): Promise<void>;
  /** Everything received since the last call. */
  take(): Promise<Seen>;
  stop(): void;
}

export async function startStandIns(): Promise<StandIns> {
  const child = fork(join(import.meta.dirname, 'stand-ins-process.ts'));
  const { port } = await nextMessage<{ port: number }>(child);
  const endpoint = `http://127.0.0.1:${port}`;
  const request = <Answer>(message: object) => {
    child.send(message);
    return nextMessage<Answer>(child);
  };
  return {
    endpoint,
    callbackUrl: `${endpoint}/hook`,
    queueUrl: (name) => `${endpoint}/000000000000/${name}`,
    async behave(partner) {
      await request({ partner });
    },
    take: () => request<Seen>({ take: true }),
    stop: () => void child.kill(),
  };
}
