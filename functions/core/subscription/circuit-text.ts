import { endpointHealthOf } from '../circuit/endpoint-health.ts';
import type { EndpointHealth } from '../circuit/health-shape.ts';
import { isOpenByHand, type OperatorSignal } from '../circuit/operator-signals.ts';
import type { Subscription } from './subscription.ts';

/** The state of a circuit in a few words. */
export function circuitText(health: Pick<EndpointHealth, 'state' | 'circuit'>): string {
  const { state, circuit } = health;
  if (state !== 'active') {
    return `${circuit.state} (the subscription is ${state})`;
  }
  switch (circuit.state) {
    case 'open':
      return isOpenByHand(health) ? 'open by hand' : `open, probed at ${circuit.probe_at}`;
    case 'half_open':
      return circuit.probes.length === 0
        ? 'half-open, the next message is the probe'
        : `half-open, probed with ${circuit.probes.length} of its payments`;
    case 'draining':
      return circuit.rate === undefined
        ? `draining, ${atATime(circuit.window)}`
        : `draining, ${circuit.rate} a second, as its endpoint asked for fewer requests`;
    case 'closed':
      return 'closed';
  }
}

function atATime(window: number): string {
  return `${window} ${window === 1 ? 'payment' : 'payments'} at a time`;
}

/** What an operator's signal does, as the end of a sentence after `would be` or `is`. */
export function changeText(signalKind: OperatorSignal, { circuit }: EndpointHealth): string {
  switch (circuit.state) {
    case 'open':
      return 'opened: nothing is sent to it, not even probes, until you close or drain it; messages more than 76 hours old by then are given up';
    case 'draining':
      return `drained: its backlog is sent in order, ${atATime(circuit.window)} at first, then more${signalKind === 'close' ? '; it closes once the backlog is empty' : ', until it closes by itself'}`;
    default:
      return 'closed: messages are sent as they come; its backlog is empty';
  }
}

/** Why an operator's signal changes nothing. */
export function unchangedText(signalKind: OperatorSignal, subscription: Subscription): string {
  const { subscription_id, state } = subscription;
  if (state === 'unproven') {
    return `${subscription_id} is unproven, which decides its circuit: its endpoint has to answer the challenge first.`;
  }
  if (state === 'paused') {
    return `${subscription_id} is paused by its partner, which decides its circuit: the partner has to enable it.`;
  }
  if (state === 'disabled') {
    return `${subscription_id} is disabled (${subscription.disabled_reason}), which decides its circuit: the partner has to enable it.`;
  }
  const now = circuitText(endpointHealthOf(subscription));
  const why =
    signalKind === 'close' && now.startsWith('draining') ? 'it closes by itself' : 'there is nothing to do';
  return `${subscription_id} is ${now}: ${why}.`;
}
