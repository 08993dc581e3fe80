import { isolateFailures } from '../../core/errors/isolate-failures.ts';
import { isNumbered } from '../../core/event/event.ts';
import type { Message } from '../../core/message/message.ts';
import { sendInOrder } from '../../core/ordering/sending-order.ts';
import type { Killer } from '../../core/ordering/suspects.ts';
import type { GapSignal } from '../../core/sequence/gap-signal.ts';
import type { Route } from '../../core/subscription/subscription.ts';
import { keepResources, type Matched, matchedOf, type Usable } from './make-messages.ts';
import type { DeadEvent, Intake, MatchPolicy, MatchPorts } from './ports.ts';
import { readIntake } from './read-intake.ts';
import { type NumberedPayments, numberedPaymentsOf } from './sequence/numbered-payments.ts';

const NONE_NUMBERED: NumberedPayments = {
  matched: [],
  unreadable: [],
  settle: async () => ({ again: [], refused: [], sequenced: [] }),
};

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
  const unnumbered = kept.filter(({ event }) => !isNumbered(event));
  const numbered =
    unnumbered.length === kept.length && looks.length === 0
      ? NONE_NUMBERED
      : await numberedPaymentsOf(inOrderOf(intakes, [...kept, ...looks]), routes, ports, policy);
  const matched = inOrderOf(intakes, [
    ...numbered.matched,
    ...unnumbered.map((one) => {
      const { orderNumber, admittedAtMs } = one.intake;
      return matchedOf({ ...one, orderNumber, admittedAtMs }, routes(one.event.service_id));
    }),
  ]);
  const unsent = await sendInOrder(
    matched.flatMap(({ messages }) => messages),
    (batch) => send(batch, ports),
  );
  const settled = await numbered.settle(unsent);
  deadRecords.push(...numbered.unreadable, ...settled.refused);
  const notDeadLettered = await deadLetter(deadRecords, ports);
  const isSent = ({ messages }: Matched) => !messages.some((message) => unsent.has(message));
  again.push(...settled.again, ...notDeadLettered);
  again.push(...matched.filter((one) => !isNumbered(one.event) && !isSent(one)).map(({ intake }) => intake));
  ports.observe({
    matched: matched.filter(isSent).map(({ event, messages }) => ({ event, messageCount: messages.length })),
    deadLettered: deadRecords.filter(({ intake }) => !notDeadLettered.includes(intake)),
    sequenced: settled.sequenced,
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

/**
 * In the order of the queue, by the record that brought each or lets it go on; those of one record stay as
 * they are. A worker that comes again with some of the records must let the same ones go on for the same
 * reason, or their positions would differ.
 */
function inOrderOf<One extends { readonly intake: Intake }>(
  intakes: readonly Intake[],
  all: readonly One[],
): One[] {
  const byRecord = Map.groupBy(all, ({ intake }) => intake.recordId);
  return intakes.flatMap(({ recordId }) => byRecord.get(recordId) ?? []);
}

/** Sends messages together or, if that fails, each alone; answers those that were not taken. */
async function send(messages: readonly Message[], ports: MatchPorts): Promise<Message[]> {
  const { answers, failed } = await isolateFailures(messages, (some) => ports.send(some));
  for (const error of failed.values()) {
    ports.internalError(error, 1);
  }
  return [...answers.flat(), ...failed.keys()];
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

/** Likewise for dead letters. */
async function deadLetter(deadRecords: readonly DeadEvent[], ports: MatchPorts): Promise<Intake[]> {
  const { answers, failed } = await isolateFailures(deadRecords, (some) => ports.deadLetter(some));
  for (const error of failed.values()) {
    ports.internalError(error, 1);
  }
  return [...answers.flat(), ...failed.keys()].map(({ intake }) => intake);
}
