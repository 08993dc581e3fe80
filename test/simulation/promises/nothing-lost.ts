import { publicEventType } from '../../../functions/core/event-types.ts';
import { isFinal } from '../../../functions/core/outcome.ts';
import type { World } from '../world.ts';
import { type Check, type Expected, type Line, nameOf } from './line.ts';

/** What was accepted so shortly before its subscription was deleted may find no route any more. */
const MATCHED_BY_MS = 600_000;

/** Once the world has healed, each message is in a final state, nothing waits anywhere, and only the unusable is with the dead letters. */
export const nothingLost: Check = (world, lines) => [
  ...leftovers(world),
  ...lines.flatMap((line) => line.messages.flatMap((message) => unfinished(message, line, world))),
  ...buried(world),
  ...strangers(world, lines),
];

function leftovers({ cameToRest, queues, tables, subscriptions, plan }: World): string[] {
  const broken = cameToRest ? [] : ['the world did not come to rest'];
  for (const name of ['events', 'deliveries', 'deliveriesDeadLetters'] as const) {
    const left = queues[name].records.length;
    if (left > 0) {
      broken.push(`${left} records are left in ${name}`);
    }
  }
  for (const [name, { state }] of tables.keys.keys) {
    broken.push(`${name} is still ${state}`);
  }
  for (const { message_id, ordering_key } of tables.keys.pointersLeft) {
    broken.push(`${ordering_key} still points to ${message_id}`);
  }
  for (const { state, circuit, subscription_id, rate_limit } of subscriptions) {
    if (state === 'active' && circuit !== undefined && circuit.state !== 'closed') {
      broken.push(
        `the circuit of ${subscription_id} is still ${circuit.state}, with a receiver that is well`,
      );
    }
    if (state === 'active' && circuit?.tick_at !== undefined && rate_limit === undefined) {
      broken.push(`the circuit of ${subscription_id} still ticks`);
    }
    const { owner, receiver } = plan.subscriptions[Number(subscription_id.slice('sub_'.length))]!;
    if (state === 'paused' && !owner.some(({ wish }) => wish === 'paused')) {
      broken.push(`${subscription_id} is paused, and nobody wished that`);
    }
    if (state === 'disabled' && receiver.kind === 'quick') {
      broken.push(`${subscription_id} is disabled, and its receiver was always well`);
    }
  }
  return [...broken, ...tables.keys.inconsistencies];
}

function unfinished(message: Expected, line: Line, world: World): string[] {
  const { record, requests } = message;
  if (record === undefined) {
    return mayHaveNoRoute(message, line, world) && requests.length === 0
      ? []
      : [`${nameOf(message, line)} was lost after ${requests.length} attempts`];
  }
  if (!isFinal(record)) {
    return [`${nameOf(message, line)} is still ${record.state}, ${record.state_reason}`];
  }
  return record.state === 'succeeded' && !requests.some(({ taken }) => taken)
    ? [`${nameOf(message, line)} is on record as succeeded, and nobody took it`]
    : [];
}

function mayHaveNoRoute({ admittedAtMs }: Expected, { plan }: Line, { startedAtMs }: World): boolean {
  const deletedAtMs = plan.owner.find(({ wish }) => wish === 'deleted')?.atMs;
  return deletedAtMs !== undefined && admittedAtMs > startedAtMs + deletedAtMs - MATCHED_BY_MS;
}

function buried({ admitted, queues }: World): string[] {
  const unusable = admitted
    .filter(({ eventType }) => publicEventType(eventType) === undefined)
    .map(({ eventId }) => eventId);
  const found = queues.eventsDeadLetters.records.map(({ body }) => JSON.parse(body).event_id);
  return inWords(found) === inWords(unusable)
    ? []
    : [`buried: ${inWords(found)}; unusable: ${inWords(unusable)}`];
}

function strangers({ receivers }: World, lines: readonly Line[]): string[] {
  const expected = new Set(lines.flatMap(({ messages }) => messages.map(({ messageId }) => messageId)));
  return receivers.log
    .filter(({ messageId }) => !expected.has(messageId))
    .map(
      ({ messageId, subscriptionId }) => `${subscriptionId} was sent ${messageId}, which it did not ask for`,
    );
}

function inWords(eventIds: readonly string[]): string {
  return [...new Set(eventIds)].sort().join(' ') || 'nothing';
}
