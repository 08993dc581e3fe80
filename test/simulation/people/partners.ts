import { orderingKey } from '../../../functions/core/message/message.ts';
import { isFinal } from '../../../functions/core/message/outcome.ts';
import { pingOf } from '../../../functions/core/message/ping.ts';
import {
  newRecovery,
  type Recovery,
  recoveryTimer,
  stoppedRecovery,
} from '../../../functions/core/message/recovery.ts';
import { cancelSignal, resendSignal, retrySignal } from '../../../functions/core/signal/signal.ts';
import { instant } from '../../../functions/core/text/instant.ts';
import {
  type CancelPlan,
  type PingPlan,
  RECOVERY_FILTER,
  type RecoveryPlan,
  type ResendPlan,
} from '../plans/request-plan.ts';
import type { WorldPlan } from '../plans/world-plan.ts';
import type { Surface } from '../surface.ts';
import { Invocation, type Surroundings } from '../workers/invocation.ts';
import { sendSignals, sendTimers } from './sending.ts';

/**
 * Lets partners request messages again and cancel them, as the API does. It may die before it has set a
 * recovery's first timer.
 */
export function letPartnersAsk(
  { requests, cancels = [] }: Pick<WorldPlan, 'requests' | 'cancels'>,
  startedAtMs: number,
  around: Surroundings,
  surface: Surface,
): void {
  for (const signalKind of requests.resends) {
    around.clock.at(startedAtMs + signalKind.atMs, () => resend(signalKind, around, surface));
  }
  for (const signalKind of requests.pings) {
    around.clock.at(startedAtMs + signalKind.atMs, () => pingTimes(signalKind, around, surface));
  }
  for (const signalKind of requests.recoveries) {
    around.clock.at(startedAtMs + signalKind.atMs, () => recover(signalKind, startedAtMs, around, surface));
  }
  for (const cancel of cancels) {
    around.clock.at(startedAtMs + cancel.atMs, () => cancelOne(cancel, around, surface));
  }
}

function pingTimes(
  { subscription: number, times }: PingPlan,
  around: Surroundings,
  { subscriptions, deliveries, catalogue: { types } }: Surface,
): void {
  const subscription = subscriptions.one(`sub_${number}`);
  if (subscription === undefined || subscription.state === 'deleted') {
    return;
  }
  for (let left = times; left > 0; left -= 1) {
    const sampleOf = left % 2 === 0 ? undefined : types[number % types.length];
    const ping = pingOf(subscription, Buffer.from(around.newId()), around.clock.now(), sampleOf);
    around.tell(() => `api: sends ${subscription.subscription_id} a ping, ${ping.message_id}`);
    around.pinged.push({
      atMs: around.clock.now(),
      subscriptionId: subscription.subscription_id,
      messageId: ping.message_id,
    });
    deliveries.send({
      body: JSON.stringify(ping),
      group: orderingKey(ping),
      deduplicationId: ping.message_id,
    });
  }
}

function resend(
  { publication, subscription, looksFirst, twice }: ResendPlan,
  around: Surroundings,
  { history, deliveries }: Surface,
): void {
  const record = recordOf({ publication, subscription }, history);
  if (record === undefined || (looksFirst && !isFinal(record))) {
    return;
  }
  const api = new Invocation('api', around, () => {});
  api.tell(() => `is asked for evt-${publication} of sub_${subscription}, which is ${record.state}`);
  for (let times = twice ? 2 : 1; times > 0; times -= 1) {
    sendSignals([record.state === 'retrying' ? retrySignal(record) : resendSignal(record)], deliveries, api);
  }
}

function cancelOne(plan: CancelPlan, around: Surroundings, { history, deliveries }: Surface): void {
  const record = recordOf(plan, history);
  if (record === undefined || isFinal(record)) {
    return;
  }
  const api = new Invocation('api', around, () => {});
  api.tell(() => `is to cancel ${record.event_id} of ${record.subscription_id}, which is ${record.state}`);
  sendSignals([cancelSignal(record)], deliveries, api);
}

function recordOf(
  { publication, subscription }: Pick<CancelPlan, 'publication' | 'subscription'>,
  { records }: Surface['history'],
) {
  return [...records.values()].find(
    ({ event_id, subscription_id }) =>
      event_id === `evt-${publication}` && subscription_id === `sub_${subscription}`,
  );
}

function recover(
  { subscription: number, sinceMs, untilMs, state, choice }: RecoveryPlan,
  startedAtMs: number,
  around: Surroundings,
  { subscriptions, recoveries, timers }: Surface,
): void {
  const subscription = subscriptions.one(`sub_${number}`);
  if (subscription === undefined || subscription.state === 'deleted' || untilMs <= sinceMs) {
    return;
  }
  const api = new Invocation('api', around, () => {});
  const { service_id, subscription_id } = subscription;
  const span = { since: instant(startedAtMs + sinceMs), until: instant(startedAtMs + untilMs) };
  const states = choice?.of === undefined ? state && [state] : STATES[choice.of];
  const recovery = newRecovery({
    ...{ service_id, subscription_id, recovery_id: api.newId(), ...span },
    ...(states === undefined ? {} : { states }),
    ...(choice?.filters ? { filter: JSON.stringify(RECOVERY_FILTER) } : {}),
    ...(choice?.payments && { payment_ids: choice.payments.map((one) => `pay-${one}`) }),
    started_at: instant(api.workersTime()),
  });
  const isStarted = recoveries.start(recovery);
  api.tell(() => `${isStarted ? 'starts' : 'refuses'} a recovery of ${subscription_id}`);
  if (isStarted && !api.meets('crash', 'arm', subscription_id)) {
    sendTimers([{ timer: recoveryTimer(recovery), dueAtMs: api.workersTime() }], timers, api);
  }
  if (isStarted && choice?.stopsAfterMs !== undefined) {
    around.clock.at(around.clock.now() + choice.stopsAfterMs, () => stop(recovery, around, recoveries));
  }
}

const STATES = {
  delivered: ['succeeded'],
  all: ['exhausted', 'cancelled', 'succeeded'],
} satisfies Record<string, Recovery['states']>;

/** As the API does, with no other worker in between. */
function stop(
  { subscription_id, recovery_id }: Recovery,
  around: Surroundings,
  recoveries: Surface['recoveries'],
): void {
  const now = recoveries.find({ subscription_id });
  if (now?.recovery_id === recovery_id && now.state === 'running') {
    const api = new Invocation('api', around, () => {});
    api.tell(() => `stops ${recovery_id} of ${subscription_id}`);
    recoveries.stopped.add(recovery_id);
    recoveries.advance(now, stoppedRecovery(now, api.workersTime()));
  }
}
