import { armCircuitTimer } from '../../../functions/api/operations/subscriptions/arm-circuit-timer.ts';
import { CLOSED } from '../../../functions/core/circuit/circuit.ts';
import {
  type EndpointHealthInput,
  endpointHealthOf,
  nextEndpointHealth,
} from '../../../functions/core/circuit/endpoint-health.ts';
import { orderingKey } from '../../../functions/core/message/message.ts';
import { paymentKey } from '../../../functions/core/sequence/payment-sequence.ts';
import { signal } from '../../../functions/core/signal/signal.ts';
import type { StuckPayment } from '../../../functions/core/stuck/ports.ts';
import { serviceNamed, serviceOf } from '../plans/services-plan.ts';
import type { PartnersAct } from '../plans/subscription-plan.ts';
import type { WorldPlan } from '../plans/world-plan.ts';
import type { Surface } from '../surface.ts';
import { Invocation, type Surroundings } from '../workers/invocation.ts';
import { askForProof } from './challenges.ts';
import { sendSignals, sendTimers } from './sending.ts';

/** How soon an operator looks after an ordering key with an internal error. */
const OPERATORS_MS = 90_000;

/** Starts the timers of rate limits, as on registration. The API may die before it has set the first one. */
export function letSubscribersCome(around: Surroundings, { subscriptions, timers, policy }: Surface): void {
  for (const subscription of subscriptions.all) {
    const api = new Invocation('api', around, () => {});
    const health = endpointHealthOf(subscription);
    const arm = async (armings: Parameters<typeof sendTimers>[0]) => sendTimers(armings, timers, api);
    if (!api.meets('crash', 'arm', subscription.subscription_id)) {
      const change = { before: { ...health, circuit: CLOSED }, after: health };
      void armCircuitTimer(subscription, change, { arm, now: api.workersTime, policy });
    }
  }
}

/**
 * Lets partners pause, enable and delete their subscriptions, and operators act on circuits. Either may die
 * before the circuit timer is set.
 */
export function letPartnersAct(
  plan: WorldPlan,
  startedAtMs: number,
  around: Surroundings,
  surface: Surface,
): void {
  for (const [index, { partnerActs }] of plan.subscriptions.entries()) {
    for (const { atMs, signalKind } of partnerActs) {
      const id = `sub_${index}`;
      around.clock.at(startedAtMs + atMs, () => {
        const isToProve = surface.subscriptions.one(id)?.challenge_id !== undefined;
        return signalKind === 'enabled' && isToProve
          ? askForProof(id, () => true, around, surface)
          : act(id, signalKind, around, surface);
      });
    }
  }
}

function act(
  subscriptionId: string,
  signalKind: PartnersAct['signalKind'],
  around: Surroundings,
  { subscriptions, keys, timers, policy }: Surface,
): void {
  const api = new Invocation('api', around, () => {});
  const subscription = subscriptions.one(subscriptionId)!;
  const before = endpointHealthOf(subscription);
  const input: EndpointHealthInput =
    signalKind === 'paused' || signalKind === 'enabled' || signalKind === 'deleted'
      ? { kind: signalKind }
      : { kind: 'operated', signalKind, isBacklogEmpty: keys.backlog(subscriptionId, 1).length === 0 };
  const after = nextEndpointHealth(before, input, api.workersTime(), policy);
  if (after === before) {
    return;
  }
  api.tell(() => `has ${subscriptionId} ${after.state}, ${after.circuit.state}`);
  subscriptions.replaceEndpointHealth(api.name, subscriptionId, before, after);
  if (!api.meets('crash', 'arm', subscriptionId)) {
    const arm = async (armings: Parameters<typeof sendTimers>[0]) => sendTimers(armings, timers, api);
    void armCircuitTimer(subscription, { before, after }, { arm, now: api.workersTime, policy });
  }
}

/**
 * Looks after ordering keys that wait for an operator, once their cause is fixed: releases most, skips some
 * messages.
 */
export class Operator {
  readonly #around: Surroundings;
  readonly #mendedAtMs: number;
  #surface: Surface | undefined;
  readonly #expected = new Set<string>();

  constructor(around: Surroundings, mendedAtMs: number) {
    this.#around = around;
    this.#mendedAtMs = mendedAtMs;
  }

  start(surface: Surface): void {
    this.#surface = surface;
  }

  hear(name: string): void {
    if (this.#expected.has(name)) {
      return;
    }
    this.#expected.add(name);
    const { clock } = this.#around;
    clock.at(Math.max(clock.now() + OPERATORS_MS, this.#mendedAtMs), () => {
      this.#expected.delete(name);
      this.#lookAfter(name);
    });
  }

  /** A payment whose events wait. */
  hearOfEvents({ service_id, payment_id, group }: StuckPayment): void {
    const { clock } = this.#around;
    clock.at(Math.max(clock.now() + OPERATORS_MS, this.#mendedAtMs), () => {
      const { sequences, events } = this.#surface!;
      const stuck = sequences.stuck.payments.get(paymentKey({ service_id, payment_id }));
      if (stuck !== undefined) {
        const body = JSON.stringify({ v: 1, kind: 'release', service_id, payment_id, group });
        events.send({ body, group, deduplicationId: this.#around.newId() });
        this.hearOfEvents(stuck);
      }
    });
  }

  #lookAfter(name: string): void {
    const { keys, deliveries } = this.#surface!;
    const key = keys.keys.get(name);
    if (key?.state === 'stuck') {
      const operator = new Invocation('operator', this.#around, () => {});
      const signalKind = this.#around.dice.chance(0.8) ? 'release' : 'skip';
      sendSignals([signal(key, signalKind)], deliveries, operator);
      this.hear(name);
    }
  }
}

/** Sends stray signals: to ordering keys that do not exist, are not due, or belong to no subscription. */
export function letSignalsStray(
  plan: WorldPlan,
  startedAtMs: number,
  { clock, newId, tell }: Surroundings,
  { deliveries }: Pick<Surface, 'deliveries'>,
): void {
  for (const { atMs, subscription, payment, signalKind } of plan.strays) {
    clock.at(startedAtMs + atMs, () => {
      const stray = signal(
        {
          service_id: serviceNamed(serviceOf(subscription, plan.services)),
          subscription_id: `sub_${subscription}`,
          payment_id: `pay-${payment}`,
        },
        signalKind,
      );
      tell(() => `a stray signal for ${orderingKey(stray)}: ${signalKind}`);
      deliveries.send({ body: JSON.stringify(stray), group: orderingKey(stray), deduplicationId: newId() });
    });
  }
}
