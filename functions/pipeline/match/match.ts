import { isolateFailures } from '../../core/errors/isolate-failures.ts';
import type { Killer } from '../../core/ordering/suspects.ts';
import type { StuckSignal } from '../../core/signal/stuck-signal.ts';
import { isStuck } from '../../core/stuck/stuck-payments.ts';
import type { Route } from '../../core/subscription/subscription.ts';
import { type Arrived, keepResources, paymentOf } from './make-messages.ts';
import type { DeadEvent, Intake, MatchPolicy, MatchPorts } from './ports.ts';
import { readIntake } from './read-intake.ts';
import { inOrderOf, sendInTurn } from './send-in-turn.ts';
import { carryOut } from './stuck/carry-out.ts';
import { Failures } from './stuck/failures.ts';
import { setAside } from './stuck/set-aside.ts';

/** A record that may go on: an event or a gap signal, or one that cannot be used. */
type Read = Arrived | DeadEvent;

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
  const again: Intake[] = [];
  let together: Read[] = [];
  for (const intake of intakes) {
    const read = readIntake(intake);
    if ('ofOperator' in read) {
      again.push(...(await goOn(together, ports, policy)));
      together = [];
      const comesAgain = await carryOut(read.ofOperator, ports, (waiting) =>
        goOn(waiting.flatMap(eventOf), ports, policy, read.ofOperator),
      );
      again.push(...(comesAgain ? [intake] : []));
    } else {
      together.push({ intake, ...read });
    }
  }
  again.push(...(await goOn(together, ports, policy)));
  const comeAgain = new Set(again.map(({ recordId }) => recordId));
  return intakes.map(({ recordId }) => recordId).filter((id) => comeAgain.has(id));
}

/** Of a record that was set aside: it was an event then. */
function eventOf(intake: Intake): Read[] {
  const read = readIntake(intake);
  return 'ofOperator' in read ? [] : [{ intake, ...read }];
}

/** @param released its events go on although it is stuck; @returns the records that come again */
async function goOn(
  read: readonly Read[],
  ports: MatchPorts,
  policy: MatchPolicy,
  released?: StuckSignal,
): Promise<Intake[]> {
  if (read.length === 0) {
    return [];
  }
  const deadRecords = read.flatMap((one) => ('reason' in one ? [one] : []));
  const arrived = read.flatMap((one) => ('reason' in one ? [] : [one]));
  const found = await routesOf(arrived.map(paymentOf), ports);
  const routes = (serviceId: string): readonly Route[] => found.routes.get(serviceId) ?? [];
  const again: Intake[] = [];
  const routed = arrived.filter((one) => {
    const { service_id } = paymentOf(one);
    const explanation = found.unreadable.get(service_id);
    if (found.untaken.has(service_id)) {
      again.push(one.intake);
    } else if (explanation !== undefined && 'event' in one) {
      deadRecords.push({ intake: one.intake, reason: 'routes_unreadable', explanation });
    }
    // A gap signal is let go: sweep sends another as long as something waits.
    return explanation === undefined && !found.untaken.has(service_id);
  });
  const isHeldUp = (one: Arrived) => {
    const { service_id, payment_id } = paymentOf(one);
    const isReleased = service_id === released?.service_id && payment_id === released.payment_id;
    const stuck = found.stuck.get(service_id);
    return stuck !== undefined && isStuck(stuck, payment_id) && !isReleased;
  };
  const events = routed.flatMap((one) => ('event' in one ? [one] : []));
  const looks = routed.filter((one) => 'signal' in one && !isHeldUp(one));
  const failures = new Failures();
  const { kept, unkept, refused } = await keepResources(
    events.filter((one) => !isHeldUp(one)),
    routes,
    ports,
    failures,
  );
  deadRecords.push(...refused);

  const inTurn = await sendInTurn(inOrderOf(read, [...kept, ...looks]), {
    routesOf: routes,
    ports,
    policy,
    failures,
  });
  deadRecords.push(...inTurn.dead);
  const isAgain = new Set([...unkept.map(({ intake }) => intake), ...inTurn.again]);
  const stopped = events.filter((one) => isAgain.has(one.intake) || isHeldUp(one));
  const aside =
    released === undefined && (stopped.length > 0 || isAgain.size > 0)
      ? await setAside(stopped, failures.ofThemselves(), found.stuck, ports)
      : { events: [], stuck: [] };
  const notDeadLettered = await deadLetter(deadRecords, ports);
  const isAside = new Set(aside.events.map(({ intake }) => intake));
  again.push(...[...isAgain, ...stopped.map(({ intake }) => intake)].filter((one) => !isAside.has(one)));
  again.push(...notDeadLettered);
  ports.observe({
    matched: inTurn.sent.map(({ event, messages }) => ({ event, messageCount: messages.length })),
    deadLettered: deadRecords.filter(({ intake }) => !notDeadLettered.includes(intake)),
    sequenced: inTurn.sequenced,
    stuck: aside.stuck,
    setAside: aside.events.map(({ event }) => event),
  });
  return again;
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
    stuck: new Map(answers.flatMap(({ stuck }) => [...stuck])),
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
  ports.observe({ matched: [], deadLettered, sequenced: [], stuck: [], setAside: [] });
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
