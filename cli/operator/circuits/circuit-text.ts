import { isOpenByHand, type OperatorSignal } from '../../../functions/core/circuit/operator-signals.ts';
import type { EndpointHealth } from '../../../functions/core/subscription/subscription.ts';
import { printable } from '../../terminal/printable.ts';

/** How a circuit stands, in a few words. */
export function circuitText(health: Pick<EndpointHealth, 'state' | 'circuit'>): string {
  const { state, circuit } = health;
  if (state !== 'active') {
    return `${circuit.state} (the subscription is ${state})`;
  }
  switch (circuit.state) {
    case 'open':
      return isOpenByHand(health) ? 'open by hand' : `open, probed at ${circuit.probe_at}`;
    case 'half_open':
      return circuit.probe_key === undefined
        ? 'half open, the next message is the probe'
        : `half open, ${printable(circuit.probe_key)} probes`;
    case 'draining':
      return `draining, ${circuit.window} at a time`;
    case 'closed':
      return 'closed';
  }
}

/** What an operator's wish means, as the end of a sentence: `would be` or `is` before it. */
export function changeText(signalKind: OperatorSignal, after: EndpointHealth): string {
  switch (after.circuit.state) {
    case 'open':
      return 'opened: nothing is sent to it, not even probes, until you close or drain it; what is over 76 hours old by then is given up';
    case 'draining':
      return `drained: what waits is sent in order, one payment at first, then more${signalKind === 'close' ? '; there is somebody in line, so it closes by that' : ', until it closes by itself'}`;
    default:
      return 'closed: messages are sent as they come; nobody is in line';
  }
}
