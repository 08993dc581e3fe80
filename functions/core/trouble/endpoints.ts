import { type Figures, figuresOf, type Health, healthOf, lastErrorOf } from './health.ts';
import type { EndpointAttempts, LastAttempt } from './last-attempt.ts';
import { MAX_COUNTED } from './max-counted.ts';
import type { SeenSubscription, SubscriptionName } from './seen-subscription.ts';
import { AGAIN_AND_AGAIN, type WaitingPayment, type WaitingPayments } from './waiting-payment.ts';

/** Each takes 100 to 150 read units. */
const AT_A_TIME = 4;
/** How many of the longest waiting payments of a subscription are examined: most others are alike. */
const MAX_TRIED_PAYMENTS = 3;

/** Payments refused again and again while others get through, and a message of the longest refused. */
export interface Refused {
  readonly payments: number;
  readonly longest: LastAttempt & { readonly waits_since: string };
}

export interface Endpoint {
  readonly subscription: SeenSubscription;
  readonly health: Health;
  /** Absent before the first attempt. */
  readonly figures?: Figures;
  readonly lastError?: LastAttempt;
  /** How many messages wait, counted up to 1,000. */
  readonly waiting: number;
  /** Absent while the endpoint fails: then it refuses everything. */
  readonly refused?: Refused;
}

export interface EndpointPorts {
  readonly circuits: {
    /** What the caller may see of it. Undefined when there is none; an error when it cannot be read. */
    seen(name: SubscriptionName): Promise<SeenSubscription | Error | undefined>;
    /** How many messages wait, counted up to `max`. */
    waiting(subscriptionId: string, max: number): Promise<number>;
  };
  readonly attempts: EndpointAttempts;
  readonly payments: WaitingPayments;
}

/** Endpoints in the order of `names`, without deleted ones; `onUnreadable` gets those that cannot be read. */
export async function endpointsOf(
  names: readonly SubscriptionName[],
  ports: EndpointPorts,
  onUnreadable: (internalError: Error) => void,
): Promise<readonly Endpoint[]> {
  const endpoints: Endpoint[] = [];
  for (let done = 0; done < names.length; done += AT_A_TIME) {
    const some = names.slice(done, done + AT_A_TIME);
    const found = await Promise.all(some.map((name) => endpointOf(name, ports)));
    for (const endpoint of found) {
      if (endpoint instanceof Error) {
        onUnreadable(endpoint);
      } else if (endpoint !== undefined) {
        endpoints.push(endpoint);
      }
    }
  }
  return endpoints;
}

async function endpointOf(
  name: SubscriptionName,
  ports: EndpointPorts,
): Promise<Endpoint | Error | undefined> {
  const { circuits, attempts, payments } = ports;
  const subscription = await circuits.seen(name);
  if (subscription === undefined || subscription instanceof Error || subscription.state === 'deleted') {
    return subscription instanceof Error ? subscription : undefined;
  }
  const { subscription_id, circuit } = subscription;
  const [recent, waiting, refused] = await Promise.all([
    attempts.recent(name, circuit),
    circuits.waiting(subscription_id, MAX_COUNTED),
    refusedOf(payments.bySubscription.get(subscription_id) ?? [], attempts),
  ]);
  const health = healthOf(subscription, recent);
  const figures = figuresOf(recent);
  const lastError = lastErrorOf(recent);
  const isRefusingSome = refused !== undefined && ['well', 'slow', 'recovering'].includes(health);
  return {
    subscription,
    health,
    waiting,
    ...(figures === undefined ? {} : { figures }),
    ...(lastError === undefined ? {} : { lastError }),
    ...(isRefusingSome ? { refused } : {}),
  };
}

async function refusedOf(
  payments: readonly WaitingPayment[],
  attempts: EndpointAttempts,
): Promise<Refused | undefined> {
  for (const payment of payments.slice(0, MAX_TRIED_PAYMENTS)) {
    const attempt = await attempts.ofPayment(payment);
    if (attempt?.last_failure_class !== undefined && attempt.attempt_count >= AGAIN_AND_AGAIN) {
      return { payments: payments.length, longest: { ...attempt, waits_since: payment.oldest_since } };
    }
  }
  return undefined;
}
