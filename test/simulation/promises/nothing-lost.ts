import { isFinal } from '../../../functions/core/message/outcome.ts';
import { isAlwaysWell, isTroubledForEver } from '../people/healing.ts';
import type { World } from '../world.ts';
import {
  type Check,
  type Expected,
  isEverWanted,
  keysPutAside,
  type Line,
  messageIdOf,
  nameOf,
} from './evidence/backlog.ts';

/**
 * Once the world has healed, each message is final, nothing waits anywhere, and only unusable records are
 * dead letters.
 */
export const nothingLost: Check = (world, lines) => [
  ...leftovers(world),
  ...lines.flatMap((backlog) => backlog.messages.flatMap((message) => unfinished(message, backlog))),
  ...putAside(world),
  ...deadLettered(world),
  ...strangers(world),
];

function leftovers({ cameToRest, queues, tables, subscriptions, plan }: World): string[] {
  const broken = cameToRest ? [] : ['the world did not come to rest'];
  for (const name of ['events', 'deliveries'] as const) {
    const left = queues[name].records.length;
    if (left > 0) {
      broken.push(`${left} records are left in ${name}`);
    }
  }
  for (const [name, { state }] of tables.keys.keys) {
    broken.push(`${name} is still ${state}`);
  }
  for (const { message_id, ordering_key } of tables.keys.queuedMessagesLeft) {
    broken.push(`${ordering_key} still queues ${message_id}`);
  }
  for (const { payment_id, early } of tables.sequences.all.filter(({ early }) => early.length > 0)) {
    broken.push(`${early.length} events of ${payment_id} still wait for those before them`);
  }
  for (const { state, circuit, subscription_id, rate_limit } of subscriptions) {
    const own = plan.subscriptions[Number(subscription_id.slice('sub_'.length))]!;
    const { partnerActs, receiver, changes } = own;
    const isSpared = isTroubledForEver(own) && circuit?.state !== 'draining';
    if (state === 'active' && circuit !== undefined && circuit.state !== 'closed' && !isSpared) {
      broken.push(
        `the circuit of ${subscription_id} is still ${circuit.state}, though its endpoint is healthy`,
      );
    }
    if (state === 'active' && circuit?.timer_at !== undefined && rate_limit === undefined && !isSpared) {
      broken.push(`the circuit of ${subscription_id} still has a timer`);
    }
    if (state === 'paused' && !partnerActs.some(({ signalKind }) => signalKind === 'paused')) {
      broken.push(`${subscription_id} is paused, but nobody asked for that`);
    }
    if (state === 'disabled' && isAlwaysWell(receiver) && !changes.some(({ kind }) => kind === 'url')) {
      broken.push(`${subscription_id} is disabled, but its endpoint was always healthy`);
    }
  }
  return [...broken, ...tables.keys.inconsistencies];
}

function unfinished(message: Expected, backlog: Line): string[] {
  const { record, requests } = message;
  if (record === undefined) {
    return [`${nameOf(message, backlog)} was lost after ${requests.length} attempts`];
  }
  if (!isFinal(record)) {
    return [`${nameOf(message, backlog)} is still ${record.state}, ${record.state_reason}`];
  }
  return record.state === 'succeeded' && !requests.some(({ taken }) => taken)
    ? [`${nameOf(message, backlog)} is on record as succeeded, but was never received`]
    : [];
}

/** Only records of ordering keys that could not be read are dead-lettered. */
function putAside({ queues, invocations }: World): string[] {
  const unreadable = new Set(
    invocations.flatMap(({ met }) =>
      met.flatMap(({ fault, name }) => (fault === 'unreadable' ? [name] : [])),
    ),
  );
  return [...keysPutAside(queues)]
    .filter((key) => !unreadable.has(key))
    .map((key) => `records of ${key} are among the dead letters`);
}

function deadLettered({ admitted, queues }: World): string[] {
  const unusable = admitted
    .filter(({ publicType }) => publicType === undefined)
    .map(({ eventId }) => eventId);
  const found = queues.eventsDeadLetters.records.map(({ body }) => JSON.parse(body).event_id);
  return inWords(found) === inWords(unusable)
    ? []
    : [`dead letters: ${inWords(found)}; unusable: ${inWords(unusable)}`];
}

/** What a subscription was sent without wanting it when `match` may have looked. */
function strangers(world: World): string[] {
  const { receivers, admitted, subscriptions } = world;
  const wanted = new Set(
    subscriptions.flatMap(({ subscription_id }) =>
      admitted
        .filter((event) => isEverWanted(subscription_id, event, world))
        .map((event) => messageIdOf(event, subscription_id)),
    ),
  );
  return receivers.log
    .filter((received) => !wanted.has(received.messageId))
    .map((received) => `${received.subscriptionId} was sent ${received.messageId}, which it did not ask for`);
}

function inWords(eventIds: readonly string[]): string {
  return [...new Set(eventIds)].sort().join(' ') || 'nothing';
}
