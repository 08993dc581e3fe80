import { timerQueue } from '../../../functions/adapters/sqs/timer-queue.ts';
import { armCircuitTimer } from '../../../functions/api/operations/subscriptions/arm-circuit-timer.ts';
import { endpointHealthOf, nextEndpointHealth } from '../../../functions/core/circuit/endpoint-health.ts';
import type { OperatorSignal } from '../../../functions/core/circuit/operator-signals.ts';
import { eventsOfChange } from '../../../functions/core/event/operational-events-of.ts';
import type { EndpointHealth } from '../../../functions/core/subscription/subscription.ts';
import { isGone, type Subscription } from '../../../functions/core/subscription/subscription.ts';
import { type Stage, stageNamed } from '../../../lib/stages.ts';
import type { StageAccess } from '../../stage/stage-access.ts';
import type { Withheld } from '../../stage/withheld.ts';
import { ExplainedError } from '../../terminal/explained-error.ts';
import type { Surroundings } from '../../terminal/surroundings.ts';
import { recorded } from '../trail/operators-trail.ts';
import { type CircuitTable, circuitTable } from './circuit-table.ts';
import { changeText, circuitText } from './circuit-text.ts';
import { list, notThere, show } from './circuits-look.ts';
import { CIRCUITS_HELP, type CircuitsOptions, circuitsOptions } from './circuits-options.ts';
import { viewOf } from './circuits-view.ts';

type Print = (text: string, json: object) => void;
type OfOne = Extract<CircuitsOptions, { service: string }>;

/**
 * @returns whether all is well: nothing failed
 * @throws ExplainedError when there is nothing to do, or what was asked for does not make sense
 */
export async function circuitsCommand(args: string[], surroundings: Surroundings): Promise<boolean> {
  const options = circuitsOptions(args);
  if (options === 'help') {
    surroundings.print(CIRCUITS_HELP);
    return true;
  }
  const access = await surroundings.access(options.stage);
  const { deliveryPolicy: policy } = stageNamed(options.stage);
  const withheld: Withheld = new Set();
  const tables = await access.tables();
  const circuits = circuitTable(access.dynamodb, tables, policy.graceMs, withheld);
  const print: Print = (text, json) => surroundings.print(`${options.json ? JSON.stringify(json) : text}\n`);
  if (options.command === 'list' || options.command === 'show') {
    const { limit } = options;
    const looking = { circuits, access, tables, policy, withheld, limit, print };
    return options.command === 'list' ? list(looking) : show(looking, options);
  }
  const subscription = await find(circuits, options);
  return operate(options.command, { circuits, subscription, access, options, policy, print });
}

async function find(circuits: CircuitTable, { service, subscription, stage }: OfOne): Promise<Subscription> {
  const found = await circuits.subscription({ service_id: service, subscription_id: subscription });
  if (found === undefined || isGone(found)) {
    throw notThere({ service, subscription, stage });
  }
  return found;
}

interface Operating {
  readonly circuits: CircuitTable;
  readonly subscription: Subscription;
  readonly access: StageAccess;
  readonly options: OfOne;
  readonly policy: Stage['deliveryPolicy'];
  readonly print: Print;
}

async function operate(signalKind: OperatorSignal, operating: Operating): Promise<boolean> {
  const { circuits, subscription, options, policy, print } = operating;
  const { subscription_id } = subscription;
  const isBacklogEmpty = (await circuits.backlog(subscription_id, 1)).length === 0;
  const change = (health: EndpointHealth) =>
    nextEndpointHealth(health, { kind: 'operated', signalKind, isBacklogEmpty }, Date.now(), policy);
  const health = endpointHealthOf(subscription);
  const planned = change(health);
  if (planned === health) {
    throw new ExplainedError(refusal(signalKind, subscription));
  }
  if (!options.yes) {
    print(
      `${subscription_id} is ${circuitText(health)}. It would be ${changeText(signalKind, planned)}.\nNothing was changed. --yes does it.`,
      { ...viewOf(subscription), [`would_${signalKind}`]: true, would_become: planned.circuit.state },
    );
    return true;
  }
  const { before, after } = await carryOut(signalKind, change, operating);
  const text =
    before === after
      ? `It is ${circuitText(after)} by now: somebody was faster, and nothing was changed.`
      : `${subscription_id} was ${circuitText(before)}, and is ${changeText(signalKind, after)}.`;
  print(text, { subscription_id, from: before.circuit.state, to: after.circuit.state });
  return true;
}

/** The tick that follows, where it cannot be sent, is found by sweep within minutes. */
async function carryOut(
  signalKind: OperatorSignal,
  change: (health: EndpointHealth) => EndpointHealth,
  { circuits, subscription, access, options: { service, subscription: id }, policy }: Operating,
) {
  const arm = timerQueue(access.sqs, await access.retryTimersUrl(), Date.now);
  const bus = await access.bus();
  const deed = { command: `circuits ${signalKind}`, arguments: { service, subscription: id } };
  return recorded(await access.operators(), deed, async () => {
    const changed = await circuits.change(subscription, change);
    if (changed === undefined) {
      throw new ExplainedError(`${id} has just been deleted: there is no circuit any more.`);
    }
    const { before, after } = changed;
    const [from, to] = [circuitText(before), circuitText(after)];
    if (before === after) {
      return { result: changed, outcome: { changed: 0, from, to } };
    }
    await armCircuitTimer(subscription, changed, { arm, now: Date.now, policy }).catch(() => {});
    await bus(eventsOfChange(subscription, before, after, Date.now()));
    return {
      result: changed,
      outcome: { changed: 1, from, to },
      changes: [
        {
          service_id: service,
          subscription_id: id,
          operation: `${signalKind}Circuit`,
          changed: { circuit: { from: before.circuit.state, to: after.circuit.state } },
        },
      ],
    };
  });
}

function refusal(signalKind: OperatorSignal, subscription: Subscription): string {
  const { subscription_id, state } = subscription;
  if (state === 'paused') {
    return `${subscription_id} is paused by its owner, and its circuit follows from that: its owner has to enable it.`;
  }
  if (state === 'disabled') {
    return `${subscription_id} is disabled (${subscription.disabled_reason}), and its circuit follows from that: its owner has to enable it.`;
  }
  const now = circuitText(endpointHealthOf(subscription));
  const why =
    signalKind === 'close' && now.startsWith('draining') ? 'it closes by itself' : 'there is nothing to do';
  return `${subscription_id} is ${now}: ${why}.`;
}
