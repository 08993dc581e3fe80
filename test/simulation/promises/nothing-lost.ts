import { publicEventType } from '../../../functions/core/event-types.ts';
import { type Check, nameOf } from './line.ts';

/** Once the world has healed, each message has been taken by its receiver, queues are empty, and only the unusable is with the dead letters. */
export const nothingLost: Check = (world, lines) => {
  const broken: string[] = [];
  if (!world.cameToRest) {
    broken.push('the world did not come to rest');
  }
  for (const name of ['events', 'deliveries', 'deliveriesDeadLetters'] as const) {
    const left = world.queues[name].records.length;
    if (left > 0) {
      broken.push(`${left} records are left in ${name}`);
    }
  }
  for (const line of lines) {
    for (const message of line.messages) {
      if (!message.requests.some(({ taken }) => taken)) {
        broken.push(`${nameOf(message, line)} was lost after ${message.requests.length} attempts`);
      }
    }
  }
  const unusable = world.admitted
    .filter(({ eventType }) => publicEventType(eventType) === undefined)
    .map(({ eventId }) => eventId);
  const buried = world.queues.eventsDeadLetters.records.map(({ body }) => JSON.parse(body).event_id);
  if (inWords(buried) !== inWords(unusable)) {
    broken.push(`buried: ${inWords(buried)}; unusable: ${inWords(unusable)}`);
  }
  const expected = new Set(lines.flatMap(({ messages }) => messages.map(({ messageId }) => messageId)));
  for (const { messageId, subscriptionId } of world.receivers.log) {
    if (!expected.has(messageId)) {
      broken.push(`${subscriptionId} was sent ${messageId}, which it did not ask for`);
    }
  }
  return broken;
};

function inWords(eventIds: readonly string[]): string {
  return [...new Set(eventIds)].sort().join(' ') || 'nothing';
}
