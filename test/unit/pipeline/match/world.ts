import { type Message, resourceKey } from '../../../../functions/core/message/message.ts';
import { inMemorySequences } from '../../../../functions/core/sequence/in-memory-sequences.ts';
import type { Arming } from '../../../../functions/core/signal/due.ts';
import { inMemoryStuck } from '../../../../functions/core/stuck/in-memory-stuck.ts';
import type { Route } from '../../../../functions/core/subscription/subscription.ts';
import type {
  DeadEvent,
  Intake,
  MatchOutcome,
  MatchPorts,
} from '../../../../functions/pipeline/match/ports.ts';
import { TEN_O_CLOCK_MS } from '../../../support/builders.ts';
import { GOV_UK_PAY } from '../../../support/gov-uk-pay.ts';

export const ALL = (subscription_id: string): Route => ({ subscription_id, event_types: ['*'], live: false });

/** Ports in memory that keep their promises; `refuse` names messages that the queue does not take. */
export function world(
  over: {
    routes?: Record<string, Route[]>;
    unreadable?: string[];
    untaken?: string[];
    refuse?: (message: Message) => boolean;
    sequences?: ReturnType<typeof inMemorySequences>;
  } = {},
) {
  const routes = over.routes ?? { bakery: [ALL('sub_1')] };
  const sent: Message[] = [];
  const batches: Message[][] = [];
  const deadLettered: DeadEvent[] = [];
  const kept: [string, string][] = [];
  const asked: string[][] = [];
  /** As they are in the other group. */
  const forwarded: Intake[] = [];
  const faults: unknown[] = [];
  const observed: MatchOutcome[] = [];
  const armed: Arming[] = [];
  const sequences = over.sequences ?? inMemorySequences();
  const stuck = inMemoryStuck();
  let nowMs = TEN_O_CLOCK_MS;
  const ports: MatchPorts = {
    catalogue: GOV_UK_PAY,
    ...sequences,
    ...stuck,
    async arm(armings) {
      armed.push(...armings);
    },
    now: () => nowMs,
    async routesOf(serviceIds) {
      asked.push([...serviceIds]);
      return {
        routes: new Map(Object.entries(routes).filter(([id]) => serviceIds.includes(id))),
        unreadable: new Map(
          (over.unreadable ?? [])
            .filter((id) => serviceIds.includes(id))
            .map((id) => [id, `the routing item of ${id} cannot be read`]),
        ),
        untaken: new Set((over.untaken ?? []).filter((id) => serviceIds.includes(id))),
        stuck: stuck.of(serviceIds),
      };
    },
    async keepResource(event, resource) {
      kept.push([resourceKey(event), resource]);
    },
    async send(messages) {
      batches.push([...messages]);
      const refused = messages.filter((message) => over.refuse?.(message) ?? false);
      sent.push(...messages.filter((message) => !refused.includes(message)));
      return refused;
    },
    async forward(intakes, group) {
      forwarded.push(...intakes.map((one) => ({ ...one, group })));
    },
    async deadLetter(deadRecords) {
      deadLettered.push(...deadRecords);
      return [];
    },
    internalError: (error) => faults.push(error),
    observe: (outcome) => observed.push(outcome),
  };
  const pass = (ms: number) => {
    nowMs += ms;
  };
  return {
    ports,
    sent,
    batches,
    deadLettered,
    kept,
    asked,
    forwarded,
    faults,
    observed,
    armed,
    sequences,
    stuck,
    pass,
  };
}

export const events = (messages: readonly Message[]) => messages.map(({ event_id }) => event_id);
