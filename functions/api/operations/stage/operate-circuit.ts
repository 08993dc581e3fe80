import * as z from 'zod';
import { refusal } from '../../../core/api/answer.ts';
import { serviceIdSchema } from '../../../core/api/api-token.ts';
import type { EndpointHealthChange } from '../../../core/api/subscription-registry.ts';
import { CIRCUIT_STATES } from '../../../core/circuit/circuit.ts';
import { endpointHealthOf, nextEndpointHealth } from '../../../core/circuit/endpoint-health.ts';
import type { EndpointHealth } from '../../../core/circuit/health-shape.ts';
import { OPERATOR_SIGNALS, type OperatorSignal } from '../../../core/circuit/operator-signals.ts';
import { eventsOfChange } from '../../../core/operational-events/operational-events-of.ts';
import { changeText, circuitText, unchangedText } from '../../../core/subscription/circuit-text.ts';
import { isGone, type Subscription } from '../../../core/subscription/subscription.ts';
import { describeOperation } from '../../operation.ts';
import { type Done, recorded } from '../../stage/recorded.ts';
import { stageOperation } from '../../stage/stage-operation.ts';
import type { StagePorts } from '../../stage/stage-ports.ts';
import { armCircuitTimer } from '../subscriptions/arm-circuit-timer.ts';

export const operateCircuit = stageOperation({
  id: 'operateCircuit',
  method: 'POST',
  path: '/v1/stage/circuits',
  scope: 'write',
  summary: 'Open, drain or close a circuit by hand',
  body: z.strictObject({
    service_id: serviceIdSchema.describe('The service whose endpoint it is.'),
    subscription_id: z
      .string()
      .regex(/^sub_[A-Za-z0-9_-]{1,64}$/, 'must be the id of a subscription: sub_…')
      .describe('The id of its subscription.'),
    signal: z.enum(OPERATOR_SIGNALS).describe('What to do.'),
    dry_run: z
      .boolean()
      .default(true)
      .describe('`false` does it; otherwise the answer only says what it would do.'),
  }),
  problems: ['not-found', 'circuit-unchanged'],
  async run({ caller, body: { service_id, subscription_id, signal, dry_run } }, ports) {
    const subscription = await ports.subscription({ service_id, subscription_id });
    if (subscription === undefined || isGone(subscription)) {
      return refusal('not-found', `${service_id} has no subscription ${subscription_id}.`);
    }
    const isBacklogEmpty = await ports.isBacklogEmpty(subscription_id);
    const change = (health: EndpointHealth) =>
      nextEndpointHealth(
        health,
        { kind: 'operated', signalKind: signal, isBacklogEmpty },
        ports.now(),
        ports.policy,
      );
    const before = endpointHealthOf(subscription);
    const planned = change(before);
    if (planned === before) {
      return refusal('circuit-unchanged', unchangedText(signal, subscription));
    }
    const states = { from: before.circuit.state, to: planned.circuit.state };
    if (dry_run) {
      const text = `It is ${circuitText(before)}. It would be ${changeText(signal, planned)}.`;
      return { status: 200, body: { dry_run, ...states, text } };
    }
    const done = await carryOut(signal, change, subscription, caller.token_id, ports);
    if (done === undefined) {
      return refusal('not-found', `${subscription_id} has just been deleted.`);
    }
    return {
      status: 200,
      body: {
        dry_run,
        from: done.before.circuit.state,
        to: done.after.circuit.state,
        text:
          done.before === done.after
            ? `It is ${circuitText(done.after)} by now: somebody else was faster.`
            : `It was ${circuitText(done.before)}, and is ${changeText(signal, done.after)}.`,
      },
    };
  },
});

/* @__PURE__ */ describeOperation(
  operateCircuit,
  'Says what it would do, or does it. `open`: nothing is sent, not even probes, until somebody closes or drains it by hand. `drain`: sends the backlog in order, a few payments at a time. `close`: sends messages as they come; a backlog is drained first. Takes no `idempotency-key`: repeated, it changes nothing. For the person on call.',
  () => ({
    200: {
      description: 'What it would do, or has done.',
      schema: z.object({
        dry_run: z.boolean().describe('Whether nothing was changed because this was only a trial.'),
        from: z.enum(CIRCUIT_STATES).describe('The state of the circuit before.'),
        to: z.enum(CIRCUIT_STATES).describe('Its state after it, or what it would be.'),
        text: z.string().describe('What it means, in a sentence.'),
      }),
    },
  }),
);

/** When the circuit timer cannot be sent, sweep finds that within minutes. */
async function carryOut(
  signal: OperatorSignal,
  change: (health: EndpointHealth) => EndpointHealth,
  subscription: Subscription,
  sessionId: string,
  ports: StagePorts,
) {
  const { service_id: service, subscription_id: id } = subscription;
  const who = (await ports.sessions.find(sessionId))?.who ?? 'unknown';
  const deed = {
    command: `circuits ${signal}`,
    arguments: { service, subscription: id, session: sessionId },
  };
  return recorded(
    { trail: ports.operators, who },
    deed,
    async (): Promise<Done<EndpointHealthChange | undefined>> => {
      const result = await ports.changeEndpointHealth(subscription, change);
      if (result === undefined || result.before === result.after) {
        return { result, outcome: { changed: 0 } };
      }
      const { before, after } = result;
      await armCircuitTimer(subscription, result, ports).catch(() => {});
      await ports.tell(eventsOfChange(subscription, before, after, ports.now()));
      const changed = { circuit: { from: before.circuit.state, to: after.circuit.state } };
      return {
        result,
        outcome: { changed: 1, from: circuitText(before), to: circuitText(after) },
        changes: [{ service_id: service, subscription_id: id, operation: `${signal}Circuit`, changed }],
      };
    },
    ports.warn,
  );
}
