import type { SQSBatchResponse } from 'aws-lambda';
import { orderingKey } from '../../../functions/core/message/message.ts';
import { paymentKey } from '../../../functions/core/sequence/payment-sequence.ts';
import { match } from '../../../functions/pipeline/match/match.ts';
import type { MatchPorts } from '../../../functions/pipeline/match/ports.ts';
import type { Received } from '../aws/queues/queue-record.ts';
import { armer } from '../people/sending.ts';
import { answered, reporter, type Surface } from '../surface.ts';
import type { Invocation } from './invocation.ts';

/** The real `match`, as its handler calls it. */
export function matchWorker(
  records: readonly Received[],
  invocation: Invocation,
  surface: Surface,
): Promise<SQSBatchResponse> {
  const intakeOf = ({ id, group, body, sentAtMs, sequenceNumber, receiveCount }: Received) => ({
    recordId: id,
    group,
    body,
    admittedAtMs: sentAtMs,
    orderNumber: sequenceNumber,
    receiveCount,
  });
  const policy = { ...surface.policy, hasQueueDoor: surface.hasQueueDoor ?? false };
  return answered(
    records,
    'match',
    surface.events,
    invocation,
    (some, { killer }) => match(some.map(intakeOf), matchPorts(invocation, surface), policy, killer),
    surface,
  );
}

function matchPorts(invocation: Invocation, surface: Surface): MatchPorts {
  const { events, deliveries, eventsDeadLetters, subscriptions, history, sequences, timers, listener } =
    surface;
  return {
    catalogue: surface.catalogue,
    schemas: surface.schemas,
    routesOf: (ids) =>
      invocation.callTable('routesOf', () => {
        const untaken = new Set(ids.filter((id) => invocation.meetsAt('throttled', 'routesOf', id)));
        const stuck = sequences.stuck.of(ids);
        return { ...subscriptions.routesOf(ids.filter((id) => !untaken.has(id))), untaken, stuck };
      }),
    keepResource: (event, resource) =>
      invocation.callTable('keepResource', () => history.keepResource(event, resource)),
    sequencesOf: async (payments) =>
      invocation.callTable('sequencesOf', () => sequences.sequencesOf(payments)),
    advance: async (known, next, checkAt) =>
      invocation.callTable('advance', () => sequences.advance(known, next, checkAt), paymentKey(next)),
    hold: async (held) => invocation.callTable('hold', () => sequences.hold(held), paymentKey(held.event)),
    held: async (names) => invocation.callTable('held', () => sequences.held(names)),
    drop: async (names) =>
      invocation
        .callTable('drop', () => sequences.drop(names), undefined, names.length)
        .catch(() => undefined),
    setAside: async (payment, ...rest) =>
      invocation.callTable('setAside', () => sequences.stuck.setAside(payment, ...rest), paymentKey(payment)),
    stuckEvents: async (...given) =>
      invocation.callTable('stuckEvents', () => sequences.stuck.stuckEvents(...given)),
    dropStuck: async (events) =>
      invocation.callTable('dropStuck', () => sequences.stuck.dropStuck(events)).catch(() => undefined),
    free: async (...given) => invocation.callTable('free', () => sequences.stuck.free(...given)),
    arm: armer(invocation, timers),
    now: () => invocation.workersTime(),
    async send(messages) {
      const entries = messages.map((message) => ({
        message,
        body: JSON.stringify(message),
        group: orderingKey(message),
        deduplicationId: message.message_id,
      }));
      const send = () =>
        deliveries.sendBatch(entries, ({ group }) => invocation.meets('partial', 'send', group));
      const refused = await invocation.call('send', send, {
        rejects: true,
        size: entries.reduce((sum, { body }) => sum + body.length, 0),
      });
      return refused.map(({ message }) => message);
    },
    async forward(intakes, group) {
      const entries = intakes.map(({ recordId, body }) => ({ body, group, deduplicationId: recordId }));
      const forward = () => events.sendBatch(entries, () => invocation.meets('partial', 'forward', group));
      const refused = await invocation.call('forward', forward, { rejects: true, size: entries.length });
      if (refused.length > 0) {
        throw new Error(`events.fifo did not take ${refused.length} records for group ${group}`);
      }
    },
    async deadLetter(deadRecords) {
      for (const { explanation } of deadRecords) {
        listener?.fault(`dead-lettered: ${explanation}`);
      }
      const entries = deadRecords.map((deadRecord) => ({
        deadRecord,
        body: deadRecord.intake.body,
        group: deadRecord.intake.group,
        deduplicationId: deadRecord.intake.recordId,
      }));
      const send = () =>
        eventsDeadLetters.sendBatch(entries, ({ group }) =>
          invocation.meets('partial', 'dead-letter', group),
        );
      const refused = await invocation.call('dead-letter', send, { rejects: false });
      return refused.map(({ deadRecord }) => deadRecord);
    },
    internalError: reporter(invocation, listener),
    observe: () => {},
  };
}
