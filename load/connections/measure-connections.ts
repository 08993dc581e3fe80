import { fork } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type HttpPost, httpPost } from '../../functions/adapters/http/http-post.ts';
import { testOnlyAuthority } from '../../test/support/network/test-only-authority.ts';
import { nextMessage } from '../profile/stand-ins/next-message.ts';
import type { Seen } from './partner-server.ts';

export interface ConnectionOptions {
  readonly partners: number;
  /** Of `deliver`: each keeps connections of its own. */
  readonly environments: number;
  /** Deliveries a second, at random instants, to random partners from random environments. */
  readonly rate: number;
  readonly seconds: number;
  /** After which a partner closes an idle connection. */
  readonly idleSeconds: number;
  /** Whether its answers say so: `keep-alive: timeout=…`. */
  readonly isSaid: boolean;
}

/** In the seconds that were measured. */
export interface Connections extends Seen {
  readonly deliveries: number;
  readonly failed: number;
}

/** What a handshake costs beside a delivery on an open connection. */
export interface Handshake {
  readonly cpuMs: number;
  readonly bytesOut: number;
  readonly bytesIn: number;
}

const BODY = JSON.stringify({ resource: 'x'.repeat(1_024) });
const DEADLINE_MS = 10_000;
/** Alternately with and without a handshake, so that a busy machine disturbs both alike. */
const ROUNDS = 10;
const POSTS_IN_ROUND = 60;
/** Fewer than are open at any time, so each connection is closed after its answer. */
const NONE = -1;

/** How often deliveries to partners on the loopback need a handshake. The first half of the time warms up. */
export async function measureConnections(options: ConnectionOptions): Promise<Connections> {
  const { partners, environments, rate, seconds } = options;
  const server = await startPartners(options);
  const posts = Array.from({ length: environments }, () => postTo(server.port));
  const outcomes: Promise<boolean>[] = [];
  const send = async (forMs: number) => {
    const endAt = performance.now() + forMs;
    for (let at = performance.now(); at < endAt; at += (-Math.log(1 - Math.random()) * 1_000) / rate) {
      await delay(Math.max(0, at - performance.now()));
      outcomes.push(posts[drawn(environments)]!(drawn(partners)));
    }
    return (await Promise.all(outcomes.splice(0))).map((isDelivered) => !isDelivered);
  };
  try {
    await send((seconds / 2) * 1_000);
    await server.seen();
    const failures = await send((seconds / 2) * 1_000);
    const failed = failures.filter(Boolean).length;
    return { ...(await server.seen()), deliveries: failures.length, failed };
  } finally {
    server.stop();
  }
}

/** Measures one handshake after another beside deliveries on one connection. */
export async function measureHandshake(): Promise<Handshake> {
  const server = await startPartners({ idleSeconds: 60, isSaid: true });
  const kept = postTo(server.port);
  const closing = postTo(server.port, NONE);
  const used = async (post: (partner: number) => Promise<boolean>) => {
    await server.seen();
    const before = process.cpuUsage();
    for (let number = 0; number < POSTS_IN_ROUND; number += 1) await post(0);
    const { user, system } = process.cpuUsage(before);
    // The closed connection is counted when it is closed.
    await delay(50);
    const { bytesIn, bytesOut } = await server.seen();
    return { cpuMs: (user + system) / 1_000, bytesOut: bytesIn, bytesIn: bytesOut };
  };
  try {
    const sums = { cpuMs: 0, bytesOut: 0, bytesIn: 0 };
    await used(kept);
    await used(closing);
    for (let round = 0; round < ROUNDS; round += 1) {
      const [open, fresh] = [await used(kept), await used(closing)];
      for (const name of ['cpuMs', 'bytesOut', 'bytesIn'] as const) sums[name] += fresh[name] - open[name];
    }
    const each = (sum: number) => sum / (ROUNDS * POSTS_IN_ROUND);
    return { cpuMs: each(sums.cpuMs), bytesOut: each(sums.bytesOut), bytesIn: each(sums.bytesIn) };
  } finally {
    server.stop();
  }
}

/** @param keptOpen connections kept by the environment @default as on Lambda */
function postTo(port: number, keptOpen?: number): (partner: number) => Promise<boolean> {
  const post: HttpPost = httpPost({
    rules: { allowLoopback: true, allowedPorts: [port] },
    resolve: async () => ['127.0.0.1'],
    ca: testOnlyAuthority,
    ...(keptOpen === undefined ? {} : { keptOpen }),
  });
  return async (partner) => {
    const url = `https://p${partner}.hostile.test:${port}/webhooks`;
    const headers = { 'content-type': 'application/json; charset=utf-8' };
    const answer = await post({ url, live: true, headers, body: BODY, deadlineMs: DEADLINE_MS });
    return answer.failure_class === undefined;
  };
}

async function startPartners({ idleSeconds, isSaid }: Pick<ConnectionOptions, 'idleSeconds' | 'isSaid'>) {
  const child = fork(join(import.meta.dirname, 'partner-server.ts'), [
    String(idleSeconds),
    isSaid ? 'said' : '',
  ]);
  const port = await nextMessage<number>(child);
  return {
    port,
    seen(): Promise<Seen> {
      child.send('?');
      return nextMessage<Seen>(child);
    },
    stop: () => child.disconnect(),
  };
}

function drawn(count: number): number {
  return Math.floor(Math.random() * count);
}
