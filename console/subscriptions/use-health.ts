import type { MessageSummary } from '../../functions/core/message/message-view.ts';
import type { SubscriptionView } from '../../functions/core/subscription/subscription-view.ts';
import { useLive } from '../api/live.ts';
import { commonFailure, firstTriedUntil, healthOf } from './health.ts';
import { type Statistics, subscriptionPath } from './subscription.ts';

/** It is counted, or read, anew after this time at the earliest. */
const LOOK_EVERY_MS = 60_000;
/** Enough to say what an endpoint answers now. */
const LATEST = 50;
const MAX_PAGE = 100;

/**
 * How a subscription fares. Asks for more only while something is wrong.
 *
 * @param listed what was read of it with others: then what it answers is read once
 */
export function useHealth(subscription: SubscriptionView, listed?: Statistics) {
  const path = subscriptionPath(subscription.subscription_id);
  const isWell = subscription.state === 'active' && subscription.circuit.state === 'closed';
  const isFailing =
    subscription.state === 'active' && ['open', 'half_open'].includes(subscription.circuit.state);
  const everyMs = listed === undefined ? LOOK_EVERY_MS : undefined;
  const read = useLive<Statistics>(
    isWell || listed !== undefined ? undefined : `${path}/statistics?by=hour`,
    everyMs,
  );
  const latest = useLive<{ messages: readonly MessageSummary[] }>(
    isFailing ? `${path}/messages?limit=${LATEST}` : undefined,
    everyMs,
  );
  const waiting = isWell ? undefined : (listed ?? read.data)?.waiting;
  const isUntried = latest.data?.messages.every(({ last_attempt_at }) => last_attempt_at === undefined);
  const until = isUntried && waiting ? firstTriedUntil(subscription.circuit, waiting) : undefined;
  const first = useLive<{ messages: readonly MessageSummary[] }>(
    until && `${path}/messages?limit=${MAX_PAGE}&until=${until}`,
    everyMs,
  );
  const tried = isUntried
    ? first.data?.messages.filter(({ ended_at }) => ended_at === undefined)
    : latest.data?.messages;
  const failure = tried && commonFailure(tried);
  return { ...healthOf(subscription, { waiting, failure }), failure };
}
