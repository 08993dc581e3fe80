import * as z from 'zod';
import { timerQueue } from '../../../functions/adapters/sqs/timer-queue.ts';
import { armCircuitTimer } from '../../../functions/api/operations/subscriptions/arm-circuit-timer.ts';
import { endpointHealthOf, nextEndpointHealth } from '../../../functions/core/circuit/endpoint-health.ts';
import type { EndpointHealth } from '../../../functions/core/circuit/health-shape.ts';
import { OPERATOR_SIGNALS, type OperatorSignal } from '../../../functions/core/circuit/operator-signals.ts';
import { eventsOfChange } from '../../../functions/core/operational-events/operational-events-of.ts';
import { changeText, circuitText, unchangedText } from '../../../functions/core/subscription/circuit-text.ts';
import { isGone, type Subscription } from '../../../functions/core/subscription/subscription.ts';
import type { Withheld } from '../../stage/attempt-details.ts';
import type { ChosenDeployment } from '../../stage/chosen-deployment.ts';
import { ExplainedError } from '../../terminal/explanation.ts';
import { recorded } from '../audit/audit-command.ts';
import { CHANGES_STAGE, limit, ON_STAGE, operatorCommand, SERVICE, type World } from '../operator-command.ts';
import { type CircuitTable, circuitTable, viewOf } from './circuit-table.ts';
import { type Looking, list, notThere, type OfOne, show } from './circuits-look.ts';

const SUBSCRIPTION = {
  check: z.string().regex(/^sub_[A-Za-z0-9_-]{1,64}$/, 'must be the id of a subscription: sub_…'),
  help: 'sub_…',
} as const;

const SUMMARIES: Readonly<Record<OperatorSignal, string>> = {
  open: 'Open a circuit: send nothing, not even probes; messages wait, for 76 hours',
  close: 'Close a circuit: send messages as they come; a backlog is drained first',
  drain: 'Drain a circuit: send its backlog in order, a few payments at a time, then close it',
};

export const CIRCUITS = [
  operatorCommand({
    name: 'circuits list',
    synonyms: ['slow'],
    summary: 'List endpoints in trouble: since when, why, how much waits; the longest first',
    options: { ...limit(100, 'how many endpoints at most'), ...ON_STAGE },
    example: '--stage dev',
    run: async (given, world) => list(await looking(given, world), world),
  }),
  operatorCommand({
    name: 'circuits show',
    summary: 'Show one endpoint and the first payments of its backlog',
    arguments: { service: SERVICE, subscription: SUBSCRIPTION },
    options: { ...limit(100, 'how many payments of the backlog at most'), ...ON_STAGE },
    example: 'bakery sub_2cXj1x8 --stage dev',
    run: async (given, world) => show(await looking(given, world), given, world),
  }),
  ...OPERATOR_SIGNALS.map((signalKind) =>
    operatorCommand({
      name: `circuits ${signalKind}`,
      summary: SUMMARIES[signalKind],
      arguments: { service: SERVICE, subscription: SUBSCRIPTION },
      options: CHANGES_STAGE,
      example: 'bakery sub_2cXj1x8 --stage dev --yes',
      remarks:
        'A circuit that was opened by hand stays open until somebody closes or drains it by hand, or its partner pauses and enables\nthe subscription.',
      run: (given, world) => operate(signalKind, given, world),
    }),
  ),
];

async function looking(
  { stage, limit }: { readonly stage: ChosenDeployment; readonly limit: number },
  world: World,
): Promise<Looking> {
  const access = await world.access(stage);
  const { deliveryPolicy: policy } = access.settings;
  const withheld: Withheld = new Set();
  const tables = await access.tables();
  const circuits = circuitTable(access.dynamodb, tables, policy.graceMs, withheld);
  return { circuits, access, tables, policy, withheld, limit };
}

async function find(circuits: CircuitTable, { service, subscription, stage }: OfOne): Promise<Subscription> {
  const found = await circuits.subscription({ service_id: service, subscription_id: subscription });
  if (found === undefined || isGone(found)) {
    throw notThere({ service, subscription, stage });
  }
  return found;
}

interface Operating extends Pick<Looking, 'circuits' | 'access' | 'policy'> {
  readonly subscription: Subscription;
}

async function operate(
  signalKind: OperatorSignal,
  given: OfOne & { readonly yes: boolean },
  world: World,
): Promise<boolean> {
  const { print } = world;
  const { circuits, access, policy } = await looking({ ...given, limit: 1 }, world);
  const subscription = await find(circuits, given);
  const { subscription_id } = subscription;
  const isBacklogEmpty = (await circuits.backlog(subscription_id, 1)).length === 0;
  const change = (health: EndpointHealth) =>
    nextEndpointHealth(health, { kind: 'operated', signalKind, isBacklogEmpty }, Date.now(), policy);
  const health = endpointHealthOf(subscription);
  const planned = change(health);
  if (planned === health) {
    const unchanged = unchangedText(signalKind, subscription);
    if (subscription.state !== 'active') {
      throw new ExplainedError(unchanged);
    }
    const { state } = health.circuit;
    print(unchanged, { subscription_id, from: state, to: state });
    return true;
  }
  if (!given.yes) {
    print(
      `${subscription_id} is ${circuitText(health)}. It would be ${changeText(signalKind, planned)}.\nNothing was changed. --yes does it.`,
      { ...viewOf(subscription), [`would_${signalKind}`]: true, would_become: planned.circuit.state },
    );
    return true;
  }
  const { before, after } = await carryOut(signalKind, change, { circuits, access, policy, subscription });
  const text =
    before === after
      ? `The circuit is ${circuitText(after)} by now: somebody else was faster, and nothing was changed.`
      : `${subscription_id} was ${circuitText(before)}, and is ${changeText(signalKind, after)}.`;
  print(text, { subscription_id, from: before.circuit.state, to: after.circuit.state });
  return true;
}

/** When the circuit timer cannot be sent, sweep finds that within minutes. */
async function carryOut(
  signalKind: OperatorSignal,
  change: (health: EndpointHealth) => EndpointHealth,
  { circuits, subscription, access, policy }: Operating,
) {
  const { service_id: service, subscription_id: id } = subscription;
  const arm = timerQueue(access.sqs, await access.queueUrl('RetryTimersUrl'), Date.now);
  const bus = await access.bus();
  const deed = { command: `circuits ${signalKind}`, arguments: { service, subscription: id } };
  return recorded(await access.operators(), deed, async () => {
    const changed = await circuits.change(subscription, change);
    if (changed === undefined) {
      throw new ExplainedError(`${id} has just been deleted: it has no circuit any more.`);
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
