import { Session } from 'node:inspector/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { DELIVERY_POLICY } from '../../../../functions/core/attempt/delivery-policy.ts';
import type { Signal } from '../../../../functions/core/signal/signal.ts';
import { deliver, readDeliveries } from '../../../../functions/pipeline/deliver/deliver.ts';
import { match } from '../../../../functions/pipeline/match/match.ts';
import type { WakePorts } from '../../../../functions/pipeline/wake/ports.ts';
import { readTimers, wake } from '../../../../functions/pipeline/wake/wake.ts';
import { intake, paymentEvent } from '../../../support/builders.ts';
import { sqsRecord } from '../deliver/sqs-record.ts';
import { BUSY, world as deliverWorld, OK } from '../deliver/world.ts';
import { world as matchWorld } from '../match/world.ts';

/** What each of these ways executes. */
export interface Walks {
  /** From the bus to a webhook that is accepted. */
  readonly event: readonly string[];
  /** Likewise of an event that its publisher has numbered. */
  readonly numbered: readonly string[];
  /** From the timer to a webhook that is accepted, after a first attempt that failed. */
  readonly retry: readonly string[];
}

export async function walks(): Promise<Walks> {
  return {
    event: await filesExecuted(() => published(paymentEvent())),
    numbered: await filesExecuted(() => published(paymentEvent({ sequence: 1 }))),
    retry: await retried(),
  };
}

async function published(event: object, endpoints = deliverWorld()): Promise<void> {
  const { ports, sent } = matchWorld();
  await match([intake(event)], ports, DELIVERY_POLICY);
  await delivered(sent, endpoints);
  if (endpoints.posts.length !== 1) {
    throw new Error(`posted ${endpoints.posts.length} times: ${endpoints.faults}`);
  }
}

async function retried(): Promise<string[]> {
  let answer = BUSY;
  const endpoints = deliverWorld({ answer: () => answer });
  await published(paymentEvent(), endpoints);
  answer = OK;
  const [{ timer, dueAtMs } = { dueAtMs: 0 }] = endpoints.armed;
  endpoints.pass(dueAtMs - endpoints.ports.now());
  return filesExecuted(async () => {
    const signals: Signal[] = [];
    const ports = {
      now: endpoints.ports.now,
      async signal(some: readonly Signal[]) {
        signals.push(...some);
        return [];
      },
    };
    const { fired } = readTimers([{ messageId: 'timer', body: JSON.stringify(timer) }]);
    await wake(fired, ports as unknown as WakePorts, DELIVERY_POLICY);
    await delivered(signals, endpoints);
    if (endpoints.posts.length !== 2 || endpoints.keys.size > 0) {
      throw new Error(`posted ${endpoints.posts.length} times: ${endpoints.faults}`);
    }
  });
}

async function delivered(bodies: readonly object[], { ports }: ReturnType<typeof deliverWorld>) {
  const { incoming } = readDeliveries(bodies.map((body) => sqsRecord(body)));
  await deliver(incoming, ports, DELIVERY_POLICY);
}

const FUNCTIONS = path.join(import.meta.dirname, '../../../../functions');

/** Keeps what stands in for a table, and is no part of the way. */
const STAND_INS = ['core/sequence/in-memory-sequences.ts', 'core/stuck/in-memory-stuck.ts'];

/**
 * Of which files of `functions/` a function is called while something runs. Types and constants do not count:
 * nobody has to follow them. Only outside of Jest, whose transformed modules have a function for each export.
 */
async function filesExecuted(run: () => Promise<unknown>): Promise<string[]> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true });
  await run();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  session.disconnect();
  return result
    .filter(({ url, functions }) => url.startsWith('file:') && functions.some(isCalled))
    .map(({ url }) => path.relative(FUNCTIONS, fileURLToPath(url)))
    .filter((file) => !file.startsWith('..') && !STAND_INS.includes(file))
    .sort();
}

function isCalled({ ranges: [whole] }: { readonly ranges: readonly { readonly count: number }[] }): boolean {
  return whole !== undefined && whole.count > 0;
}
