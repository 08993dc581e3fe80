import { isolateFailures } from '../../core/errors/isolate-failures.ts';
import type { Killer } from '../../core/ordering/suspects.ts';
import type { StuckSignal } from '../../core/signal/stuck-signal.ts';
import { isStuck, type StuckPayments } from '../../core/stuck/stuck-payments.ts';
import type { Route } from '../../core/subscription/subscription.ts';
import { type Arrived, paymentOf, storeResources } from './make-messages.ts';
import type { DeadEvent, Intake, MatchPolicy, MatchPorts } from './ports.ts';
import { readIntake } from './read-intake.ts';
import { Results } from './results.ts';
import { inOrderOf, sendInTurn } from './send-in-turn.ts';
import { carryOut } from './stuck/carry-out.ts';
import { setAside } from './stuck/set-aside.ts';

/** A record that was read: an event or a gap signal, or one that cannot be used. */
type Read = Arrived | DeadEvent;

/**
 * Makes messages of events: one for each subscription that wants the event, sent so that those of one
 * ordering key keep the publisher's sequence or, where events have none, the order in which `events.fifo`
 * took them. An internal error stays with the events that meet it, and with those behind them in their
 * payments. Never rejects as long as `internalError` and `observe` do not.
 *
 * @param killer what to say of these records instead, unread
 * @returns the ids of the records to be redelivered: some message could not be sent, or they are behind such
 * an event
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
  const again = new Set<string>();
  const matchTogether = async (together: readonly Read[]) => {
    for (const { recordId } of await matchRead(together, ports, policy)) {
      again.add(recordId);
    }
  };
  let together: Read[] = [];
  for (const intake of intakes) {
    const read = readIntake(intake, ports);
    if ('ofOperator' in read) {
      await matchTogether(together);
      together = [];
      const isUnfinished = await carryOut(read.ofOperator, ports, (waiting) =>
        matchRead(
          waiting.flatMap((intake) => eventOf(intake, ports)),
          ports,
          policy,
          read.ofOperator,
        ),
      );
      if (isUnfinished) {
        again.add(intake.recordId);
      }
    } else {
      together.push({ intake, ...read });
    }
  }
  await matchTogether(together);
  return intakes.map(({ recordId }) => recordId).filter((id) => again.has(id));
}

/** Of a record that was set aside: it was an event then. */
function eventOf(intake: Intake, ports: MatchPorts): Read[] {
  const read = readIntake(intake, ports);
  return 'ofOperator' in read ? [] : [{ intake, ...read }];
}

/**
 * @param released the signal that releases these events, though their payment is stuck
 * @returns the records to be redelivered
 */
async function matchRead(
  read: readonly Read[],
  ports: MatchPorts,
  policy: MatchPolicy,
  released?: StuckSignal,
): Promise<Intake[]> {
  if (read.length === 0) {
    return [];
  }
  const results = new Results();
  results.dead(read.filter((one) => 'reason' in one));
  const routing = await route(
    read.filter((one): one is Arrived => !('reason' in one)),
    results,
    ports,
  );
  const isHeldUp = (one: Arrived) => isOfStuck(one, routing.stuck, released);
  const free = routing.arrived.filter((one) => !isHeldUp(one));
  const signals = free.filter((one) => 'signal' in one);
  const events = routing.arrived.filter((one) => 'event' in one);
  const usable = await storeResources(
    events.filter((one) => !isHeldUp(one)),
    routing.routesOf,
    ports,
    results,
  );
  const { sent, sequenced } = await sendInTurn(inOrderOf(read, [...usable, ...signals]), {
    routesOf: routing.routesOf,
    ports,
    policy,
    results,
    areReleased: released !== undefined,
  });
  const stopped = events.filter((one) => results.of(one.intake) === 'again' || isHeldUp(one));
  results.again(stopped.map(({ intake }) => intake));
  const aside =
    released === undefined && (stopped.length > 0 || results.hasFailures)
      ? await setAside(stopped, results.failuresOfThemselves(), routing.stuck, ports)
      : { events: [], stuck: [] };
  for (const { intake } of aside.events) {
    results.done(intake);
  }
  results.again(await deadLetter(results.allDead, ports));
  ports.observe({
    matched: sent.map(({ event, messages }) => ({ event, messageCount: messages.length })),
    deadLettered: results.allDead,
    sequenced,
    stuck: aside.stuck,
    setAside: aside.events.map(({ event }) => event),
  });
  return results.allAgain;
}

/** Whether its payment waits for an operator, who has not just released it. */
function isOfStuck(
  one: Arrived,
  stuckOf: ReadonlyMap<string, StuckPayments>,
  released: StuckSignal | undefined,
): boolean {
  const { service_id, payment_id } = paymentOf(one);
  const isReleased = service_id === released?.service_id && payment_id === released.payment_id;
  const stuck = stuckOf.get(service_id);
  return stuck !== undefined && isStuck(stuck, payment_id) && !isReleased;
}

interface Routing {
  /** Events and gap signals of services whose routes are known. */
  readonly arrived: readonly Arrived[];
  readonly routesOf: (serviceId: string) => readonly Route[];
  readonly stuck: ReadonlyMap<string, StuckPayments>;
}

/**
 * Reads who subscribes. An event of a service whose routes cannot be read now is redelivered; if they never
 * can, it is dead-lettered. A gap signal is then done: sweep sends another as long as something waits.
 */
async function route(arrived: readonly Arrived[], results: Results, ports: MatchPorts): Promise<Routing> {
  const { routes, unreadable, untaken, stuck } = await routesOf(arrived.map(paymentOf), ports);
  for (const one of arrived) {
    const { intake } = one;
    const { service_id } = paymentOf(one);
    const explanation = unreadable.get(service_id);
    if (untaken.has(service_id)) {
      results.again([intake]);
    } else if (explanation !== undefined && 'event' in one) {
      results.dead([{ intake, reason: 'routes_unreadable', explanation }]);
    }
  }
  return {
    arrived: arrived.filter((one) => {
      const { service_id } = paymentOf(one);
      return !unreadable.has(service_id) && !untaken.has(service_id);
    }),
    routesOf: (serviceId) => routes.get(serviceId) ?? [],
    stuck,
  };
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
