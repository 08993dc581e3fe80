import { setTimeout as delay } from 'node:timers/promises';
import type { SlowStoreControl } from '../../local/slow-store/control.ts';
import { stackProcesses } from '../../local/worker-processes.ts';
import type { Guests } from './guests.ts';
import type { Disturbance } from './plan.ts';
import type { SoakPartner } from './soak-partners.ts';

interface Disturbed {
  readonly partners: readonly SoakPartner[];
  readonly guests: Pick<Guests, 'take'>;
  readonly store: SlowStoreControl;
  readonly outputsFile: string;
  readonly signal: AbortSignal;
}

export interface Disturbing {
  readonly killed: number;
  /** Disturbances that could not be made. */
  readonly failures: readonly string[];
  /** Resolves when all have begun and ended; after an abort, when all that had begun have ended. */
  readonly ended: Promise<void>;
}

/** Functions that may lose their worker. A partner's call to the API has no second try. */
const KILLABLE = /-(Match|Deliver|Wake|Statistics)[0-9A-F]{8}-/;
const SLOW = { dynamodb: { delay_ms: 400 }, sqs: { delay_ms: 400 } };
const FAILING = { dynamodb: { failure_rate: 0.3 }, sqs: { failure_rate: 0.3 } };
const TRIES = 10;
const SLEEP_MS = 2_000;

/** Makes the disturbances of a plan. An abort ends those that have begun. */
export function disturb(plan: readonly Disturbance[], disturbed: Disturbed): Disturbing {
  const { partners, guests, store, outputsFile, signal } = disturbed;

  const startedAtMs = performance.now();
  const failures: string[] = [];
  let killed = 0;
  let guestsBefore: Promise<unknown> = Promise.resolve();
  const until = (ms: number) =>
    delay(Math.max(0, startedAtMs + ms - performance.now()), undefined, { signal }).catch(() => {});
  async function made(one: Disturbance): Promise<void> {
    await until(one.fromMs);
    if (signal.aborted) return;
    switch (one.kind) {
      case 'worker':
        await persistently(() => killOne(outputsFile, one.draw));
        killed += 1;
        return;
      case 'guest': {
        const taken = guestsBefore.then(() => persistently(() => guests.take(one.step)));
        guestsBefore = taken.catch(() => {});
        return taken;
      }
      case 'store':
        await store.behave(one.isFailing ? FAILING : SLOW);
        await until(one.untilMs);
        return store.behave({});
      case 'receiver': {
        const partner = partners.find(({ group }) => group === one.trouble);
        await persistently(async () => partner?.begin(one.trouble));
        await until(one.untilMs);
        return persistently(async () => partner?.end(one.trouble));
      }
    }
  }
  const ended = Promise.all(
    plan.map((one) =>
      made(one).catch((error: Error) => failures.push(`${one.kind} at ${one.fromMs} ms: ${error.message}`)),
    ),
  ).then(() => {});
  return {
    ended,
    failures,
    get killed() {
      return killed;
    },
  };
}

async function killOne(outputsFile: string, draw: number): Promise<void> {
  const workers = (await stackProcesses(outputsFile)).workers.filter(({ args }) => KILLABLE.test(args));
  const worker = workers[Math.floor(draw * workers.length)];
  if (worker === undefined) throw new Error('no worker runs');
  process.kill(worker.pid, 'SIGKILL');
}

/** The API fails while the store does, and a worker may end by itself just before it is killed. */
async function persistently(work: () => Promise<unknown>): Promise<void> {
  for (let tried = 1; ; tried += 1) {
    try {
      await work();
      return;
    } catch (error) {
      if (tried === TRIES) throw error;
      await delay(SLEEP_MS);
    }
  }
}
