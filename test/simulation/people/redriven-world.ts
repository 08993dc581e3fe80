import {
  readDeliveryDeadLetter,
  readEventDeadLetter,
} from '../../../cli/operator/redrive/read-dead-letter.ts';
import { redrive } from '../../../cli/operator/redrive/redrive.ts';
import { deadLetters } from '../aws/queues/dead-letters.ts';
import { NO_FAULTS } from '../faults.ts';
import type { Prepared } from '../plans/prepare.ts';
import { type PublicationPlan, plainEvent } from '../plans/publication-plan.ts';
import { plainSubscription } from '../plans/subscription-plan.ts';
import type { WorldPlan } from '../plans/world-plan.ts';
import { brokenPromises } from '../promises/all-promises.ts';
import { runWorld, type World } from '../world.ts';
import { type Behaviour, QUICK } from './behaviour.ts';

const MINUTE_MS = 60_000;
/** A record that is received more often goes to the dead letters: within the ten minutes, all that are under way do. */
const MAX_RECEIVE_COUNT = 2;
const OUTAGE = { fromMs: 3_000, untilMs: 10 * MINUTE_MS };
const REDRIVEN_AT_MS = 15 * MINUTE_MS;
/** What an operator does after that is a story of its own. */
const RUNS = 12;
/** What is put back counts its receptions anew: nobody knows of an attempt that could not be recorded. */
const UNTOLD = 'nothing says that the attempt of';
const SIGNAL = { goes: true, unfolds: false, alsoUnusable: false, again: true, limit: 20_000 };

/** A world in which the tables answer nobody for ten minutes, and what was put back after that. */
export interface Redriven {
  readonly world: World;
  readonly broken: readonly string[];
  readonly putBack: { readonly events: number; readonly deliveries: number };
}

/** Runs a world in which two slow partners get many events, the tables fail, and an operator puts back what became dead letters. */
export async function redrivenWorld(dice: number, write?: (backlog: string) => void): Promise<Redriven> {
  const putBack = { events: 0, deliveries: 0 };
  const putBackNames = new Set<string>();
  const admittedAgain = new Map<string, number>();
  const world = await runWorld(planOf(dice), write, {
    maxReceiveCount: MAX_RECEIVE_COUNT,
    also: ({ around, surface, events, deliveriesDeadLetters }: Prepared) => {
      const fromDeliveries = deadLetters(
        deliveriesDeadLetters,
        surface.deliveries,
        around,
        ({ received }) => {
          putBack.deliveries += 1;
          const { event_id, subscription_id } = JSON.parse(received.body);
          putBackNames.add(`${event_id} for ${subscription_id}`);
        },
      );
      const fromEvents = deadLetters(surface.eventsDeadLetters, events, around, ({ received }, sentAtMs) => {
        putBack.events += 1;
        const { event_id } = JSON.parse(received.body);
        for (const { subscription_id } of surface.subscriptions.all) {
          putBackNames.add(`${event_id} for ${subscription_id}`);
        }
        // One that was not deleted is put back twice, and recognised.
        admittedAgain.set(event_id, admittedAgain.get(event_id) ?? sentAtMs);
      });
      // What was matched already is earlier than what was not.
      const inOrder = async () => {
        for (let run = 0; run < RUNS && !deliveriesDeadLetters.isEmpty; run += 1) {
          await redrive(fromDeliveries, { isFifo: true, read: readDeliveryDeadLetter }, SIGNAL);
        }
        for (let run = 0; run < RUNS && !surface.eventsDeadLetters.isEmpty; run += 1) {
          await redrive(fromEvents, { isFifo: true, read: readEventDeadLetter }, SIGNAL);
        }
      };
      around.clock.at(around.clock.now() + REDRIVEN_AT_MS, () => void inOrder());
    },
  });
  // What was put back is admitted once more: its time and its place are those of its second admission.
  const admitted = world.admitted
    .map((one) => ({ ...one, atMs: admittedAgain.get(one.eventId) ?? one.atMs }))
    .sort((one, other) => one.atMs - other.atMs);
  // What had not become a dead letter when the tables were back has overtaken those that had.
  const isExcused = (sentence: string) => {
    const [, overtaker] = sentence.match(/^order per payment: (.+) was attempted/) ?? [];
    return sentence.includes(UNTOLD) || (overtaker !== undefined && !putBackNames.has(overtaker));
  };
  const broken = brokenPromises({ ...world, admitted }).filter((sentence) => !isExcused(sentence));
  return { world, broken, putBack };
}

function planOf(dice: number): WorldPlan {
  const slow: Behaviour = {
    ...QUICK,
    troubles: [{ kind: 'slow', ofDeadline: 0.1, fromMs: 0, untilMs: OUTAGE.untilMs }],
  };
  return {
    dice,
    policy: 'middling',
    subscriptions: [slow, slow].map(plainSubscription),
    publications: [...many(24, 100), ...many(20, 2_000), { ...plainEvent(0), pauseMs: 25 * MINUTE_MS }],
    strays: [],
    requests: { pings: [], resends: [], recoveries: [] },
    faults: { ...NO_FAULTS, untilMs: OUTAGE.untilMs, outage: OUTAGE },
    lagMs: 500,
    clockBehindMs: 0,
    clocksDifferMs: 0,
    // Few, so that much is under way when the tables fail.
    workers: { match: 2, deliver: 2, wake: 2 },
  };
}

/** Two payments, so that more of a group are dead than SQS hands out at once. */
function many(count: number, pauseMs: number): PublicationPlan[] {
  return Array.from({ length: count }, (_, index) => ({ ...plainEvent(index % 2), pauseMs: pauseMs }));
}
