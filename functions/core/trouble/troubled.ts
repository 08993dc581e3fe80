import { type Endpoint, type EndpointPorts, endpointsOf } from './endpoints.ts';
import type { SubscriptionName } from './seen-subscription.ts';

/** Which endpoints of a stage are in trouble. */
export interface Troubled {
  /** How many circuits are not closed. */
  readonly count: number;
  /** The first of them, the longest in trouble first. */
  readonly notClosed: readonly Endpoint[];
  /** Their circuits are closed, but they refuse some payments again and again. */
  readonly refusing: readonly Endpoint[];
  /** How many more there are than were examined. */
  readonly more: number;
  /** Not all payments that wait for a retry were examined. */
  readonly isCut: boolean;
  /** Why some could not be read. */
  readonly unreadable: readonly string[];
}

interface TroubledPorts extends EndpointPorts {
  readonly circuits: EndpointPorts['circuits'] & {
    /** Subscriptions whose circuit is not closed, the longest first; may lag by a second. */
    notClosed(): Promise<readonly SubscriptionName[]>;
  };
}

/**
 * Examines at most `limit` endpoints: those with a circuit that is not closed, then those that refuse most.
 */
export async function troubled(ports: TroubledPorts, limit: number): Promise<Troubled> {
  const unreadable: string[] = [];
  const notClosed = await ports.circuits.notClosed();
  const known = new Set(notClosed.map(({ subscription_id }) => subscription_id));
  const others = [...ports.payments.bySubscription]
    .filter(([id]) => !known.has(id))
    .sort(([, one], [, other]) => other.length - one.length)
    .flatMap(([, [payment]]) => payment ?? []);
  const shown = [...notClosed, ...others].slice(0, limit);
  const endpoints = await endpointsOf(shown, ports, ({ message }) => unreadable.push(message));
  const isKnown = ({ subscription: { subscription_id } }: Endpoint) => known.has(subscription_id);
  const open = endpoints.filter(isKnown);
  const gone = shown.filter(({ subscription_id }) => known.has(subscription_id)).length - open.length;
  return {
    count: notClosed.length - gone,
    notClosed: open,
    refusing: endpoints.filter((one) => !isKnown(one) && one.refused !== undefined),
    more: notClosed.length + others.length - shown.length,
    isCut: ports.payments.isCut,
    unreadable,
  };
}
