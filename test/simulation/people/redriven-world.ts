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
/** Records received more often become dead letters: all that are under way do within the ten minutes. */
const MAX_RECEIVE_COUNT = 2;
const OUTAGE = { fromMs: 3_000, untilMs: 10 * MINUTE_MS };
const REDRIVEN_AT_MS = 15 * MINUTE_MS;
/** At most this many runs of the command. */
const RUNS = 12;
/** A redriven record restarts its receive count: an attempt that could not be recorded goes unmentioned. */
const UNTOLD = 'nothing says that the attempt of';
const SIGNAL = { goes: true, unfolds: false, alsoUnusable: false, again: true, limit: 20_000 };

/** A world in which the tables are down for ten minutes, and what was redriven after that. */
export interface Redriven {
  readonly world: World;
  readonly broken: readonly string[];
  readonly putBack: { readonly events: number; readonly deliveries: number };
}

/**
 * Runs a world with two slow endpoints and many events, in which the tables fail and an operator redrives the
 * dead letters.
 */
export async function redrivenWorld(dice: number, write?: (text: string) => void): Promise<Redriven> {
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
        // One that was not deleted is redriven twice, and recognised.
        admittedAgain.set(event_id, admittedAgain.get(event_id) ?? sentAtMs);
      });
      // What `match` has processed comes before what it has not.
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
  // A redriven event is taken in again: its time and position are those of its second intake.
  const admitted = world.admitted
    .map((one) => ({ ...one, atMs: admittedAgain.get(one.eventId) ?? one.atMs }))
    .sort((one, other) => one.atMs - other.atMs);
  // Records that were not dead letters when the tables came back have overtaken those that were.
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
    // Few workers, so that much is under way when the tables fail.
    workers: { match: 2, deliver: 2, wake: 2 },
  };
}

/** Two payments, so that a group has more dead letters than SQS returns at a time. */
function many(count: number, pauseMs: number): PublicationPlan[] {
  return Array.from({ length: count }, (_, index) => ({ ...plainEvent(index % 2), pauseMs: pauseMs }));
}
