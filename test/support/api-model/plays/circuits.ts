import fc from 'fast-check';
import { type Play, type Sample, type Sent, unreadable, valid, type Where } from '../play.ts';
import type { KnownSubscription, Outcome } from '../world.ts';

const SIGNALS = ['open', 'close', 'drain'] as const;

/** What is asked of a circuit of the service, of none, or of the stranger's under the service's name. */
const signalTo = (whose: 'service' | 'stranger' | 'nobody', over: object = {}) =>
  fc
    .record({
      signal: fc.constantFrom(...SIGNALS),
      dry_run: fc.constantFrom(true, false, false),
      pick: fc.nat(9),
    })
    .map(({ signal, dry_run, pick }) => (at: Where) => ({
      service_id: at.service.id,
      subscription_id: pickOf(whose === 'nobody' ? [] : at[whose].subscriptions, pick),
      signal,
      dry_run,
      ...over,
    }));

function pickOf(all: readonly KnownSubscription[], pick: number): string {
  return all[pick % Math.max(1, all.length)]?.id ?? 'sub_none';
}

const FAULTS = [
  { signal: 'explode' },
  { subscription_id: 'msg_1' },
  { service_id: '#operators' },
  { dry_run: 1 },
];

export const operateCircuit: Play = {
  body: fc.oneof<fc.WeightedArbitrary<Sample<unknown>>[]>(
    { weight: 8, arbitrary: signalTo('service').map((of) => valid(of)) },
    { weight: 2, arbitrary: signalTo('stranger').map((of) => valid(of)) },
    { weight: 1, arbitrary: signalTo('nobody').map((of) => valid(of)) },
    {
      weight: 1,
      arbitrary: fc
        .constantFrom(...FAULTS)
        .chain((fault) => signalTo('service', fault))
        .map((value): Sample<unknown> => ({ value, refusal: 'malformed-request' })),
    },
    { weight: 1, arbitrary: unreadable },
  ),
  expects(sent): readonly Outcome[] {
    const known = operatedOn(sent);
    if (known === undefined) {
      return ['not-found'];
    }
    return sent.tested.isExact
      ? [after(sent, known) === undefined ? 'circuit-unchanged' : 200]
      : [200, 'circuit-unchanged'];
  },
  learn(sent, { body }) {
    const known = operatedOn(sent) as KnownSubscription;
    const { signal, dry_run } = sent.body;
    expect(body.dry_run).toBe(dry_run);
    if (sent.tested.isExact) {
      expect(body).toMatchObject({ from: known.circuit, to: after(sent, known) });
    }
    if (dry_run === false) {
      known.circuit = body.to;
      sent.service.changes = [`${signal}Circuit`, ...sent.service.changes];
    }
  },
};

const operatedOn = ({ service, body }: Sent) =>
  service.subscriptions.find(({ id, isDeleted }) => id === body.subscription_id && !isDeleted);

/**
 * The state that follows; undefined: nothing changes. Only an open circuit of an active subscription is
 * closed.
 */
function after(
  { body: { signal } }: Sent,
  { state, circuit }: KnownSubscription,
): KnownSubscription['circuit'] | undefined {
  if (state !== 'active') {
    return undefined;
  }
  switch (signal) {
    case 'open':
      return circuit === 'open' ? undefined : 'open';
    case 'drain':
      return circuit === 'draining' ? undefined : 'draining';
    default:
      return circuit === 'open' ? 'closed' : undefined;
  }
}
