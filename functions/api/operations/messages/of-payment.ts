import { type Answer, refusal } from '../../../core/api/answer.ts';
import { MAX_ITEMS_OF_A_PAYMENT, type RecordedMessage } from '../../../core/message/message-history.ts';
import type { ApiPorts } from '../../api-request.ts';
import type { Caller } from '../../caller.ts';
import { reaches } from '../../owned.ts';

/** The messages of a payment that the caller reaches, newest first; or why they are not listed. */
export async function messagesOfPayment(
  serviceId: string,
  paymentId: string,
  caller: Caller,
  { history }: Pick<ApiPorts, 'history'>,
): Promise<readonly RecordedMessage[] | Answer> {
  const all = await history.payment({ service_id: serviceId, payment_id: paymentId });
  return all === undefined
    ? refusal(
        'payment-too-large',
        `The payment has more than ${MAX_ITEMS_OF_A_PAYMENT} messages and attempts: list those of a subscription, with since and until.`,
      )
    : all.filter(({ record }) => reaches(caller, record.subscription_id));
}
