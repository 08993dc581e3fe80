import * as z from 'zod/mini';
import { noSuch, notTaken, refusal } from '../../../core/api/answer.ts';
import { MESSAGE_STATES, PARKED_REASONS } from '../../../core/message/message.ts';
import { isFinal } from '../../../core/message/outcome.ts';
import { cancelSignal } from '../../../core/signal/signal.ts';
import { describeMembers } from '../../../core/text/describe-members.ts';
import { describeOperation, operation } from '../../operation.ts';
import { ownMessage } from '../../owned.ts';

const cancelledSchema = z.object({
  message_id: z.string(),
  subscription_id: z.string(),
  state_before: z.enum(MESSAGE_STATES),
  state_reason_before: z.optional(z.enum(PARKED_REASONS)),
});

/* @__PURE__ */ describeMembers(cancelledSchema, {
  message_id: 'The id of the message.',
  subscription_id: 'The subscription that it was for.',
  state_before: 'The state that the message was in: `retrying` or `parked`.',
  state_reason_before: 'What it waited for. Absent if it was `retrying`.',
});

export const cancelMessage = operation({
  id: 'cancelMessage',
  method: 'POST',
  path: '/v1/messages/:message_id/cancel',
  scope: 'write',
  tag: 'Messages',
  summary: 'Cancel a message',
  problems: ['already-ended', 'not-taken'],
  async run(request, ports) {
    const message = await ownMessage(request, ports);
    if (message === undefined) {
      return noSuch('message', request.params);
    }
    const { record } = message;
    const { message_id, subscription_id, state, state_reason } = record;
    const why = state_reason === undefined ? {} : { state_reason_before: state_reason };
    if (isFinal(record)) {
      const how = state_reason === undefined ? state : `${state} (${state_reason})`;
      return refusal('already-ended', `The message is ${how}: it has ended, so it cannot be cancelled.`);
    }
    const untaken = await ports.signal([cancelSignal(record)]);
    if (untaken.length > 0) {
      return notTaken('request');
    }
    return {
      status: 202,
      headers: { location: `/v1/messages/${message_id}` },
      body: { message_id, subscription_id, state_before: state, ...why },
      change: { subscription_id, message_id },
    };
  },
});

/* @__PURE__ */ describeOperation(
  cancelMessage,
  'Ends a message that is `retrying` or `parked`, whatever it waits for, also while its subscription is paused or disabled. Later messages of its payment continue. An attempt under way is not broken off: if it succeeds, the message is `succeeded`. You can resend a cancelled message.',
  () => ({
    202: {
      description: 'The message will be cancelled, unless an attempt that is under way delivers it.',
      schema: cancelledSchema,
      headers: { location: 'The path of the message.' },
    },
  }),
);
