import { resendHint } from '../core/hint.ts';
import { isFinal } from '../core/outcome.ts';
import { type Answer, noSuch, refusal } from './answer.ts';
import type { ApiPorts, ApiRequest } from './api-request.ts';
import { ownMessage } from './owned.ts';

/** Has a message that has ended sent once more: late, behind all of its payment that wait. */
export async function resendMessage(request: ApiRequest, ports: ApiPorts): Promise<Answer> {
  const message = await ownMessage(request, ports);
  if (message === undefined) {
    return noSuch('message');
  }
  const { record } = message;
  const { message_id, service_id, subscription_id, state, state_reason } = record;
  if (!isFinal(record)) {
    const why = state_reason === undefined ? state : `${state} (${state_reason})`;
    return refusal(
      'already-waiting',
      `The message is ${why}: it has not ended, and is sent without being asked for.`,
    );
  }
  if ((await ports.subscriptions.find(service_id, subscription_id)) === undefined) {
    return refusal(
      'subscription-deleted',
      `The subscription ${subscription_id} was deleted: its messages cannot be sent any more.`,
    );
  }
  const untaken = await ports.hint([resendHint(record)]);
  if (untaken.length > 0) {
    return refusal('not-taken', 'The wish could not be taken just now: try again.', { 'retry-after': '5' });
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
  };
}
