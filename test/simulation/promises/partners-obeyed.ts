import type { Received } from '../people/receivers.ts';
import type { World } from '../world.ts';
import type { Check } from './evidence/backlog.ts';
import { isOverlapped } from './evidence/workers-of.ts';

/**
 * Each request is signed with exactly the active secrets, and has the URL and the timeout that its partner
 * had set when the worker started, or has set since. A test ping has one attempt, and its end is on record.
 */
export const partnersObeyed: Check = (world) => [
  ...world.receivers.oddities.map(({ subscriptionId, what }) => `${subscriptionId}: ${what}`),
  ...[...world.receivers.log, ...world.receivers.pings].flatMap((request) => misdirected(request, world)),
  ...pings(world),
];

function misdirected(request: Received, { tables }: World): string[] {
  const { subscriptionId, invocation, begunAtMs, url, deadlineMs, messageId } = request;
  const settings = tables.subscriptions.routesBetween(subscriptionId, invocation.startedAtMs, begunAtMs);
  const name = `${messageId}, attempt ${request.attempt} of ${subscriptionId},`;
  return [
    ...(settings.some(({ callback_url }) => callback_url === url) ? [] : [`${name} went to ${url}`]),
    ...(settings.some(({ timeout_ms }) => timeout_ms === deadlineMs)
      ? []
      : [`${name} had a deadline of ${deadlineMs} ms`]),
  ];
}

function pings(world: World): string[] {
  const { pinged, receivers, history } = world;
  return pinged.flatMap(({ messageId, subscriptionId }) => {
    const requests = receivers.pings.filter((request) => request.messageId === messageId);
    const record = history.records.get(messageId);
    const isGone = record?.state === 'cancelled' && record.state_reason === 'deleted';
    const vain = requests
      .slice(0, -1)
      .filter((request) => request.invocation.met.length === 0 && !isOverlapped(request, world));
    return [
      ...(record?.ended_at === undefined ? [`a ping of ${subscriptionId} has no end`] : []),
      ...(requests.length === 0 && !isGone ? [`a ping of ${subscriptionId} was never attempted`] : []),
      ...(vain.length > 0 ? [`a ping of ${subscriptionId} was attempted ${requests.length} times`] : []),
    ];
  });
}
