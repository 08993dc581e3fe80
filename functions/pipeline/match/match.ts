import { isolateFailures } from '../../core/errors/isolate-failures.ts';
import type { Killer } from '../../core/ordering/suspects.ts';
import type { GapSignal } from '../../core/sequence/gap-signal.ts';
import type { Route } from '../../core/subscription/subscription.ts';
import { keepResources, type Usable } from './make-messages.ts';
import type { DeadEvent, Intake, MatchPolicy, MatchPorts } from './ports.ts';
import { readIntake } from './read-intake.ts';
import { inOrderOf, sendInTurn } from './send-in-turn.ts';

interface Signalled {
  readonly intake: Intake;
  readonly signal: GapSignal;
}

/**
 * Makes messages of events: one for each subscription that wants the event, sent so that those of one
 * ordering key keep the publisher's sequence or, where events have none, the order in which `events.fifo`
 * took them. An internal error stays with the events that meet it, and with those behind them in their
 * payments. Never rejects as long as `internalError` and `observe` do not.
 *
 * @param killer what to say of these records instead, unread
 * @returns the ids of the records that come again: some message could not be sent, or they are behind such an
 * event
 */
export async function match(
  intakes: readonly Intake[],
  ports: MatchPorts,
  policy: MatchPolicy,
  killer?: Killer,
): Promise<string[]> {
  if (killer !== undefined) {
    return deadLetterUnread(intakes, killer, ports);
  }
  const deadRecords: DeadEvent[] = [];
  const events: Usable[] = [];
  const signals: Signalled[] = [];
  for (const intake of intakes) {
    const read = readIntake(intake);
    if ('reason' in read) {
      deadRecords.push({ intake, ...read });
    } else if ('signal' in read) {
      signals.push({ intake, ...read });
    } else {
      events.push({ intake, ...read });
    }
  }

  const again: Intake[] = [];
  const found = await routesOf(
    [...events.map(({ event }) => event), ...signals.map(({ signal }) => signal)],
    ports,
  );
  const routes = (serviceId: string): readonly Route[] => found.routes.get(serviceId) ?? [];
  const { kept, unkept, refused } = await keepResources(
    events.filter(({ intake, event: { service_id } }) => {
      const explanation = found.unreadable.get(service_id);
      if (found.untaken.has(service_id)) {
        again.push(intake);
      } else if (explanation !== undefined) {
        deadRecords.push({ intake, reason: 'routes_unreadable', explanation });
      }
      return explanation === undefined && !found.untaken.has(service_id);
    }),
    routes,
    ports,
  );
  again.push(...unkept);
  deadRecords.push(...refused);

  again.push(
    ...signals.flatMap(({ intake, signal }) => (found.untaken.has(signal.service_id) ? [intake] : [])),
  );
  // Of a service whose routes cannot be read none is needed: sweep sends another as long as something waits.
  const looks = signals.filter(
    ({ signal: { service_id } }) => !found.unreadable.has(service_id) && !found.untaken.has(service_id),
  );
  const arrived = inOrderOf(
    intakes.map((intake) => ({ intake })),
    [...kept, ...looks],
  );
  const inTurn = await sendInTurn(arrived, { routesOf: routes, ports, policy });
  deadRecords.push(...inTurn.dead);
  const notDeadLettered = await deadLetter(deadRecords, ports);
  again.push(...inTurn.again, ...notDeadLettered);
  ports.observe({
    matched: inTurn.sent.map(({ event, messages }) => ({ event, messageCount: messages.length })),
    deadLettered: deadRecords.filter(({ intake }) => !notDeadLettered.includes(intake)),
    sequenced: inTurn.sequenced,
  });
  const comeAgain = new Set(again.map(({ recordId }) => recordId));
  return intakes.map(({ recordId }) => recordId).filter((id) => comeAgain.has(id));
}

/**
 * Reads the routes of all services together or, if that fails, of each alone. A service whose own call fails
 * is `untaken`.
 *
 * @param records of any number for each service
 */
async function routesOf(
  records: readonly { readonly service_id: string }[],
  ports: Pick<MatchPorts, 'routesOf' | 'internalError'>,
): Promise<Awaited<ReturnType<MatchPorts['routesOf']>>> {
  const serviceIds = records.map(({ service_id }) => service_id);
  const { answers, failed } = await isolateFailures([...new Set(serviceIds)], (some) => ports.routesOf(some));
  for (const [service, error] of failed) {
    ports.internalError(error, serviceIds.filter((id) => id === service).length);
  }
  const untaken = answers.flatMap((answer) => [...answer.untaken]);
  if (untaken.length > 0) {
    const events = serviceIds.filter((id) => untaken.includes(id)).length;
    ports.internalError(
      new Error(`routes of ${untaken.join(', ')}: could not be read, too much at once`),
      events,
    );
  }
  return {
    routes: new Map(answers.flatMap(({ routes }) => [...routes])),
    unreadable: new Map(answers.flatMap(({ unreadable }) => [...unreadable])),
    untaken: new Set([...untaken, ...failed.keys()]),
  };
}

async function deadLetterUnread(
  intakes: readonly Intake[],
  { explanation }: Killer,
  ports: MatchPorts,
): Promise<string[]> {
  const deadRecords = intakes.map((intake) => ({ intake, reason: 'kills_worker' as const, explanation }));
  const left = await deadLetter(deadRecords, ports);
  const deadLettered = deadRecords.filter(({ intake }) => !left.includes(intake));
  ports.observe({ matched: [], deadLettered, sequenced: [] });
  return left.map(({ recordId }) => recordId);
}

/** Dead-letters events together or, if that fails, each alone; answers those that could not be. */
async function deadLetter(deadRecords: readonly DeadEvent[], ports: MatchPorts): Promise<Intake[]> {
  const { answers, failed } = await isolateFailures(deadRecords, (some) => ports.deadLetter(some));
  for (const error of failed.values()) {
    ports.internalError(error, 1);
  }
  return [...answers.flat(), ...failed.keys()].map(({ intake }) => intake);
}
