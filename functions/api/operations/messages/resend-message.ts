import * as z from 'zod/mini';
import { noSuch, notTaken, refusal } from '../../../core/api/answer.ts';
import { CHALLENGE, isPing } from '../../../core/catalogue/ping-names.ts';
import { MESSAGE_STATES, STATE_REASONS } from '../../../core/message/message.ts';
import { isFinal } from '../../../core/message/outcome.ts';
import { resendSignal, retrySignal } from '../../../core/signal/signal.ts';
import { describeMembers } from '../../../core/text/describe-members.ts';
import { describeOperation, operation } from '../../operation.ts';
import { ownMessage } from '../../owned.ts';

const resentSchema = z.object({
  message_id: z.string(),
  subscription_id: z.string(),
  state_before: z.enum(MESSAGE_STATES),
  state_reason_before: z.optional(z.enum(STATE_REASONS)),
});

/* @__PURE__ */ describeMembers(resentSchema, {
  message_id: 'The id of the message, which does not change.',
  subscription_id: 'The subscription that it is sent to.',
  state_before: 'The state that the message was in.',
  state_reason_before: 'Why it had ended in that state. Absent if it was delivered, or is `retrying`.',
});

export const resendMessage = operation({
  id: 'resendMessage',
  method: 'POST',
  path: '/v1/messages/:message_id/resend',
  scope: 'write',
  tag: 'Messages',
  summary: 'Resend a message',
  problems: ['ping-not-resent', 'body-erased', 'already-waiting', 'subscription-deleted', 'not-taken'],
  async run(request, ports) {
    const message = await ownMessage(request, ports);
    if (message === undefined) {
      return noSuch('message', request.params);
    }
    const { record } = message;
    const { message_id, service_id, subscription_id, state, state_reason } = record;
    if (isPing(record)) {
      return refusal(
        'ping-not-resent',
        record.event_type === CHALLENGE
          ? 'A challenge is not resent: enable the subscription to have its endpoint asked again.'
          : 'A test ping is sent only once: send a new ping instead.',
      );
    }
    if (record.body_erased_at !== undefined) {
      return refusal(
        'body-erased',
        `The body was erased at ${record.body_erased_at}: there is nothing left to send.`,
      );
    }
    if (state === 'parked') {
      const why = state_reason === undefined ? state : `${state} (${state_reason})`;
      return refusal(
        'already-waiting',
        `The message is ${why}: it has not ended yet, so it cannot be resent.`,
      );
    }
    if ((await ports.subscriptions.find(service_id, subscription_id)) === undefined) {
      return refusal(
        'subscription-deleted',
        `The subscription ${subscription_id} was deleted: its messages can no longer be sent.`,
      );
    }
    const untaken = await ports.signal([isFinal(record) ? resendSignal(record) : retrySignal(record)]);
    if (untaken.length > 0) {
      return notTaken('request');
    }
    return {
      status: 202,
      headers: { location: `/v1/messages/${message_id}` },
      body: {
        message_id,
        subscription_id,
        state_before: state,
        ...(state_reason === undefined ? {} : { state_reason_before: state_reason }),
      },
      change: { subscription_id, message_id },
    };
  },
});

/* @__PURE__ */ describeOperation(
  resendMessage,
  'Sends an ended message again, delivered or not: behind all waiting messages of its payment, with a new retry schedule, marked `late`. A `retrying` message gets its next attempt at once; the schedule continues from there.',
  () => ({
    202: {
      description: 'The message will be sent.',
      schema: resentSchema,
      headers: { location: 'The path of the message.' },
    },
  }),
);
