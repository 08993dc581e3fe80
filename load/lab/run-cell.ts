import { type Customer, newCustomer } from '../customers.ts';
import { verdict } from '../verdict.ts';
import { artilleryScript, plannedSeconds } from './artillery.ts';
import type { Cell } from './cells.ts';
import { drained } from './drained.ts';
import type { Findings } from './findings.ts';
import { gatherFacts, recordedNow } from './gather-facts.ts';
import type { LabStage } from './lab-stage.ts';
import { attemptsByOutcome, groupOf, latenciesOf, pointsOf, secondWidth } from './measured.ts';
import type { Parameters } from './parameters.ts';
import { apply, customerWishes, type FilledPartners, filledPartners } from './partners.ts';
import type { Standing } from './progress.ts';
import { queueWatch } from './queue-watch.ts';
import { repeating } from './repeating.ts';
import type { Scenario } from './scenario.ts';
import { type Course, send } from './sending.ts';
import { storeDelay } from './store-delay.ts';
import { type Tally, tally } from './tally.ts';
import { warmUp } from './warm-up.ts';

/** Counts what our code asks of AWS while a cell is measured, and how hard it works. */
export interface Meter {
  start(): Promise<void>;
  /** @param delivered messages since the start */
  stop(delivered: number): Promise<Pick<Findings, 'cost' | 'work'>>;
}

export interface CellRun {
  readonly stage: LabStage;
  readonly scenario: Scenario;
  readonly parameters: Parameters;
  readonly cell: Cell;
  /** Workers are up already. */
  readonly isWarm: boolean;
  /** Begins the names of everything it makes: letters and digits. */
  readonly run: string;
  readonly directory: string;
  readonly signal: AbortSignal;
  readonly meter?: Meter;
  /** Hears once where to ask how the run stands. */
  watch(standing: () => Standing): () => void;
  say(line: string): void;
}

const LOOK_EVERY_MS = 100;
const WATCH_EVERY_MS = 2_000;
const WARM_UP_RATE = 20;

/** Makes partners, warms up, sends, waits until all is delivered, judges; whatever happens, the partners are gone at the end. */
export async function runCell(given: CellRun): Promise<Findings> {
  const { stage, scenario, parameters, run, say } = given;
  const groups = filledPartners(scenario, parameters);
  const setStoreDelay = 'store_delay_ms' in parameters ? await storeDelay(stage) : undefined;
  const customers: Customer[] = [];
  try {
    for (const wish of customerWishes(groups, run, Number(parameters.subscriptions_per_service ?? 1))) {
      given.signal.throwIfAborted();
      customers.push(await newCustomer(stage, wish));
    }
    for (const { name, receiver } of groups) {
      await apply(
        { receiver },
        customers.filter(({ group }) => group === name),
      );
    }
    const seconds = given.isWarm ? 0 : Number(parameters.warm_up ?? 0);
    if (seconds > 0) {
      const rate = 2 * Number(parameters.rate ?? WARM_UP_RATE);
      say(`Warming up: ${rate} payments/s for ${seconds} s`);
      await warmUp(stage, customers, { run, rate, seconds, signal: given.signal });
    }
    await setStoreDelay?.(Number(parameters.store_delay_ms));
    return await measured(given, customers, groups);
  } finally {
    await setStoreDelay?.(0);
    const left = (await Promise.all(customers.map((customer) => customer.leave()))).flat();
    if (left.length > 0) say(`Something could not be cleaned up: ${left[0]}`);
  }
}

async function measured(
  given: CellRun,
  customers: readonly Customer[],
  groups: readonly FilledPartners[],
): Promise<Findings> {
  const { stage, scenario, parameters, run, signal } = given;
  const script = artilleryScript(scenario, parameters);
  const durationMs = Number(parameters.duration ?? 0) * 1_000;
  const plannedMs = Math.max(durationMs, plannedSeconds(script) * 1_000);
  let hear: (eventIds: readonly string[]) => void = () => {};
  const count = tally(customers, (eventIds) => hear(eventIds));
  const course: Course = { sent: [], unsure: [], stops: 0, stoppedMs: 0 };
  const queues = queueWatch(stage);
  let phase = given.cell.name === 'all' ? 'sending' : given.cell.name;
  const stopWatching = given.watch(() => standing(phase, count, course, plannedMs));
  const looking = repeating(count.look, LOOK_EVERY_MS);
  const watching = repeating(queues.look, WATCH_EVERY_MS);
  let isInterrupted = false;
  let isDrained = true;
  let waitingAtEnd = 0;
  await given.meter?.start();
  try {
    const sending = send(
      stage,
      {
        run,
        script,
        customers,
        groups,
        eventsPerPayment: Number(parameters.events_per_payment ?? 1),
        bodyBytes: Number(parameters.body_bytes ?? 0),
        durationMs,
        stopsWhenManyWait: scenario.stops_when_many_wait,
        directory: given.directory,
        signal,
      },
      course,
      {
        tally: count,
        onAcceptance: (listener) => {
          hear = listener;
        },
      },
    );
    await Promise.race([sending, looking.failed, watching.failed]);
    waitingAtEnd = count.waiting().length;
    phase = 'draining';
    isDrained = await drained({
      waiting: () => count.waiting().length,
      endedAmongWaiting: () => endedAmong(count, customers),
      patienceMs: Number(parameters.patience ?? 60) * 1_000,
      signal,
    });
  } catch (error) {
    if (!signal.aborted) throw error;
    isInterrupted = true;
  } finally {
    stopWatching();
    await Promise.allSettled([looking.stop(), watching.stop()]);
  }
  const metered = await given.meter?.stop(count.accepted());
  const findings = await judged(given, customers, groups, count, course, isInterrupted);
  const { most } = queues;
  return {
    ...findings,
    ...metered,
    remarks: [
      `${waitingAtEnd} messages waited when all was sent; in SQS at most ${most.events} (events) and ${most.deliveries} (deliveries) at a time.`,
      ...(course.stops > 0
        ? [
            `Sending was stopped ${course.stops} times, ${Math.round(course.stoppedMs / 1_000)} s in all, because many messages waited.`,
          ]
        : []),
      ...(course.unsure.length > 0
        ? [`The bus did not say whether it took ${course.unsure.length} events: they are left out.`]
        : []),
      ...(isDrained ? [] : ['Nothing more was delivered: what still waited is counted as lost.']),
      ...findings.remarks,
    ],
  };
}

function standing(phase: string, count: Tally, { sent, firstSentAtMs }: Course, plannedMs: number): Standing {
  const passedMs = Date.now() - (firstSentAtMs ?? Date.now());
  return {
    phase,
    sent: sent.length,
    delivered: count.accepted(),
    waiting: count.waiting().length,
    ...(phase === 'draining' ? {} : { secondsLeft: (plannedMs - passedMs) / 1_000 }),
  };
}

async function endedAmong(count: Tally, customers: readonly Customer[]): Promise<number> {
  const recorded = await recordedNow(customers);
  return count.waiting().filter(({ messageId }) => {
    const state = recorded.get(messageId)?.state;
    return state === 'exhausted' || state === 'cancelled';
  }).length;
}

async function judged(
  { cell }: CellRun,
  customers: readonly Customer[],
  groups: readonly FilledPartners[],
  { expected }: Tally,
  { sent, firstSentAtMs = Date.now(), lastSentAtMs = firstSentAtMs }: Course,
  isInterrupted: boolean,
): Promise<Findings> {
  const facts = await gatherFacts(customers, expected);
  const { waiting, turnedRound, ...promises } = verdict(
    {
      expected,
      recorded: facts.recorded,
      receipts: facts.receiptsByEndpoint,
      attemptsOf: (id) => facts.attempts.get(id),
    },
    { isInterrupted },
  );
  const lastAtMs = expected.reduce(
    (last, { messageId }) => Math.max(last, facts.acceptedAtMs.get(messageId) ?? 0),
    lastSentAtMs,
  );
  const seconds = (lastAtMs - firstSentAtMs) / 1_000;
  const isCell = cell.name !== 'all';
  const group = (name: string, own: typeof expected) => groupOf(name, facts, own, seconds);
  return {
    started_at: new Date(firstSentAtMs).toISOString(),
    seconds,
    sent: sent.length,
    sending_seconds: Math.max(1, (lastSentAtMs - firstSentAtMs) / 1_000),
    promises,
    attempts: attemptsByOutcome(facts),
    groups: isCell
      ? [{ ...group(cell.name, expected), place: cell.place }]
      : groups.map(({ name }) =>
          group(
            name,
            expected.filter((one) => one.group === name),
          ),
        ),
    latencies: latenciesOf(facts),
    second_width: secondWidth(seconds),
    points: pointsOf(facts, firstSentAtMs, seconds),
    is_interrupted: isInterrupted,
    remarks: [
      ...(isInterrupted && waiting > 0
        ? [`${waiting} messages were under way when it was interrupted.`]
        : []),
      ...(turnedRound > 0
        ? [
            `The bus admitted ${turnedRound} events before an earlier one of their payment; order is judged from admission on.`,
          ]
        : []),
    ],
  };
}
