import { LATEST_START } from '../../aws/lambda/event-source-mapping.ts';
import type { Received } from '../../aws/queues/queue-record.ts';
import type { Meeting } from '../../faults.ts';
import { TIMEOUT_MS, VISIBILITY_MS } from '../../workers/function-limits.ts';
import type { Invocation } from '../../workers/invocation.ts';
import type { World } from '../../world.ts';

/** A record that a worker returned is visible again after seconds, and then takes its usual time. */
const GIVEN_BACK_MS = 15_000;
/** After twice as many each time, up to a minute. */
const FIRST_BACK_MS = 1_000;
const MINUTE_MS = 60_000;
/** How returned records become visible early; if it is lost, they stay invisible for their whole timeout. */
const GIVE_BACK = 'give back';
/** The longest delay of a late timer. */
const LATE_TIMER_MS = 200_000;

/** What a failure has touched: ordering keys, shards and subscriptions, and how long a delay it excuses. */
interface Touch {
  readonly atMs: number;
  readonly endsAtMs: number;
  readonly widthMs: number;
  /** How long after it what it spoiled was to happen, at most. */
  readonly reachMs: number;
  /** Ordering keys, subscriptions, and groups of `events.fifo`. */
  readonly names: ReadonlySet<string>;
  /** Until when its worker continued in spite of it; undefined: it did not. */
  readonly survivedUntilMs: number | undefined;
}

const touchesOfWorlds = new WeakMap<World, readonly Touch[]>();

/**
 * The delay that failures excuse, counting only those that touched it: a failure of a batch touches
 * everything in the batch, one of an ordering key only that.
 *
 * @param names the ordering key, its subscription, its shard: all that it depends on
 * @param survivedMs an instant: a failure that a worker had survived by then does not excuse what it did next
 */
export function allowanceMs(
  world: World,
  names: readonly string[],
  fromMs: number,
  untilMs: number,
  survivedMs?: number,
): number {
  const earliestMs = fromMs - foundAfterMs(world);
  const isSurvived = ({ endsAtMs, survivedUntilMs = 0 }: Touch) =>
    survivedMs !== undefined && endsAtMs < survivedMs && survivedUntilMs >= survivedMs;
  return touchesOf(world)
    .filter((touch) => {
      const { atMs, widthMs, reachMs, names: touched } = touch;
      const isThen = atMs >= Math.min(earliestMs, fromMs - widthMs) - reachMs && atMs <= untilMs;
      return isThen && !isSurvived(touch) && names.some((name) => touched.has(name));
    })
    .reduce((sum, { widthMs }) => sum + widthMs, 0);
}

/**
 * Sweep makes up for a lost signal: after the grace period, at the next full minute, plus the way of its
 * signal.
 */
export function foundAfterMs({ policy, plan }: World): number {
  return 2 * policy.graceMs + MINUTE_MS + plan.lagMs + plan.clockBehindMs + 10_000;
}

function touchesOf(world: World): readonly Touch[] {
  const known = touchesOfWorlds.get(world);
  if (known !== undefined) {
    return known;
  }
  const touches = [...world.invocations, ...world.people].flatMap((invocation) =>
    invocation.met.map((meeting) => touchOf(meeting, invocation, world)),
  );
  touchesOfWorlds.set(world, touches);
  return touches;
}

function touchOf(meeting: Meeting, invocation: Invocation, world: World): Touch {
  const names = meeting.name === undefined ? namesIn(invocation) : namesLike(meeting, invocation);
  return {
    atMs: meeting.atMs,
    endsAtMs: meeting.untilMs ?? meeting.atMs,
    widthMs: widthOf(meeting, invocation, world),
    reachMs: meeting.fault === 'lostTimer' ? world.policy.longestTimerMs : 0,
    names,
    survivedUntilMs: invocation.ending === 'ended' ? invocation.endedAtMs : undefined,
  };
}

function widthOf({ fault, port }: Meeting, { name, records }: Invocation, world: World): number {
  const worker = name.split(' ')[0] as keyof typeof VISIBILITY_MS;
  const visibilityMs = VISIBILITY_MS[worker] ?? MINUTE_MS;
  const isSignal = port === 'arm' || port === 'signal' || port === 'changeEndpointHealth';
  switch (fault) {
    case 'doubledTimer':
      return 0;
    case 'lateTimer':
      return LATE_TIMER_MS + foundAfterMs(world);
    case 'lostTimer':
      return foundAfterMs(world);
    case 'lostRelease':
      return port === GIVE_BACK ? visibilityMs : foundAfterMs(world);
    case 'lateStart':
      return LATEST_START * visibilityMs + (TIMEOUT_MS[worker] ?? MINUTE_MS);
    case 'outage':
      return world.plan.faults.outage.untilMs + GIVEN_BACK_MS + foundAfterMs(world);
    case 'reject':
    case 'partial':
    case 'unreadable':
      return isSignal || worker === ('sweep' as string) ? foundAfterMs(world) : givenBackMs(records);
    default:
      // Killed, or possibly so: its records are invisible until then, and what it was to send may be lost.
      return visibilityMs + (worker === 'match' ? 0 : foundAfterMs(world));
  }
}

function givenBackMs(records: readonly Received[]): number {
  const received = Math.max(1, ...records.map(({ receiveCount }) => receiveCount));
  return Math.max(GIVEN_BACK_MS, Math.min(FIRST_BACK_MS * 2 ** received, MINUTE_MS));
}

/** Everything that an invocation had in hand. */
function namesIn({ records }: Invocation): Set<string> {
  const names = new Set<string>();
  for (const { group, body } of records) {
    if (group !== '') {
      names.add(group);
      names.add(subscriptionOf(group));
    } else {
      const { subscription_id, payment_id, group: joined } = JSON.parse(body) as Record<string, string>;
      names.add(joined ?? subscription_id!);
      names.add(`${subscription_id}.${payment_id}`);
    }
  }
  return names;
}

/**
 * A record of `match` that a failure concerns is received again, so its shard waits too. A call that stalls
 * delays its batch.
 */
function namesLike({ name = '', fault }: Meeting, { records, name: worker }: Invocation): Set<string> {
  const isHit = (record: Received) => fault === 'stall' || concerns(name, record);
  return new Set([
    name,
    ...(worker.startsWith('match') ? records.filter(isHit) : []).map(({ group }) => group),
  ]);
}

/** @param name a service, a payment, an ordering key or a shard */
function concerns(name: string, { body, group }: Received): boolean {
  const { service_id, payment_id } = JSON.parse(body) as Record<string, string>;
  return [service_id, `${service_id}#${payment_id}`, group].includes(name) || name.endsWith(`.${payment_id}`);
}

function subscriptionOf(key: string): string {
  return key.split('.')[0]!;
}
