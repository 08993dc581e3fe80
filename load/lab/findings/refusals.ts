import type { MessageSummary } from '../../../functions/core/message/message-view.ts';
import { refusesPayment } from '../../../functions/load-lab/receiver/refused-payment.ts';
import type { FilledPartners } from '../partners/partner-groups.ts';
import type { Expected } from '../scenario/expected.ts';
import type { Changed } from './periods.ts';

export type IsRefused = (message: Pick<Expected, 'group' | 'paymentId'>) => boolean;

/** Which messages are refused for ever, or wait behind one of their payment that is: all of a payment that its endpoint refuses, as it behaves in the end. */
export function refusals(groups: readonly FilledPartners[], changed: readonly Changed[]): IsRefused {
  const shares = new Map(
    groups.map(({ name, receiver }) => {
      const last = changed.findLast(({ group, change }) => group === name && change.receiver !== undefined);
      return [name, Number((last?.change.receiver ?? receiver).refused_share ?? 0)];
    }),
  );
  return ({ group, paymentId }) => refusesPayment(shares.get(group) ?? 0, paymentId);
}

type Recorded = Pick<MessageSummary, 'message_id' | 'subscription_id' | 'payment_id' | 'attempt_count'>;

/** Of messages that are refused for ever: whether they are on record, and an attempt at one of their payment is. More cannot become of them. */
export function refusedOnRecord(
  recorded: ReadonlyMap<string, Recorded>,
): (message: Pick<Expected, 'messageId' | 'subscriptionId' | 'paymentId'>) => boolean {
  const tried = new Set(
    [...recorded.values()]
      .filter(({ attempt_count }) => attempt_count > 0)
      .map(({ subscription_id, payment_id }) => `${subscription_id} ${payment_id}`),
  );
  return ({ messageId, subscriptionId, paymentId }) =>
    recorded.has(messageId) && tried.has(`${subscriptionId} ${paymentId}`);
}
