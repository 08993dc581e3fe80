import type { MessageSummary } from '../../functions/core/message/message-view.ts';
import type { SubscriptionView } from '../../functions/core/subscription/subscription-view.ts';
import { useLive } from '../api/live.ts';
import { commonFailure, firstTriedUntil, healthOf } from './health.ts';
import { type Statistics, subscriptionPath } from './subscription.ts';

/** The API counts anew after this time at the earliest. */
const COUNT_EVERY_MS = 10_000;
/** What is well is counted for its charts only. */
const COUNT_WELL_EVERY_MS = 60_000;
/** Enough to say what an endpoint answers now. */
const LATEST = 50;
const MAX_PAGE = 100;

/**
 * How a subscription fares. Asks for more only while something is wrong.
 *
 * @param counts whether its statistics are wanted in any case
 */
export function useHealth(subscription: SubscriptionView, counts = false) {
  const path = subscriptionPath(subscription.subscription_id);
  const isWell = subscription.state === 'active' && subscription.circuit.state === 'closed';
  const isFailing =
    subscription.state === 'active' && ['open', 'half_open'].includes(subscription.circuit.state);
  const statistics = useLive<Statistics>(
    isWell && !counts ? undefined : `${path}/statistics?by=hour`,
    isWell ? COUNT_WELL_EVERY_MS : COUNT_EVERY_MS,
  );
  const latest = useLive<{ messages: readonly MessageSummary[] }>(
    isFailing ? `${path}/messages?limit=${LATEST}` : undefined,
    COUNT_EVERY_MS,
  );
  const waiting = isWell ? undefined : statistics.data?.waiting;
  const isUntried = latest.data?.messages.every(({ last_attempt_at }) => last_attempt_at === undefined);
  const until = isUntried && waiting ? firstTriedUntil(subscription.circuit, waiting) : undefined;
  const first = useLive<{ messages: readonly MessageSummary[] }>(
    until && `${path}/messages?limit=${MAX_PAGE}&until=${until}`,
    COUNT_WELL_EVERY_MS,
  );
  const tried = isUntried
    ? first.data?.messages.filter(({ ended_at }) => ended_at === undefined)
    : latest.data?.messages;
  const health = healthOf(subscription, { waiting, failure: tried && commonFailure(tried) });
  return { ...health, statistics: statistics.data };
}
