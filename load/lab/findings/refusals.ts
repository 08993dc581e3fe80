import type { MessageSummary } from '../../../functions/core/message/message-view.ts';
import { refusesPayment } from '../../../functions/load-lab/receiver/refused-payment.ts';
import type { PartnerGroup } from '../partners/partner-groups.ts';
import type { Expected } from '../scenario/expected.ts';
import type { Changed } from './periods.ts';

export type IsRefused = (message: Pick<Expected, 'group' | 'paymentId'>) => boolean;

/**
 * Whether a message is permanently refused or blocked behind one that is: those of every payment that the
 * endpoint refuses in the end.
 */
export function refusals(groups: readonly PartnerGroup[], changed: readonly Changed[]): IsRefused {
  const shares = new Map(
    groups.map(({ name, receiver }) => {
      const last = changed.findLast(({ group, change }) => group === name && change.receiver !== undefined);
      return [name, Number((last?.change.receiver ?? receiver).refused_share ?? 0)];
    }),
  );
  return ({ group, paymentId }) => refusesPayment(shares.get(group) ?? 0, paymentId);
}

type Recorded = Pick<MessageSummary, 'message_id' | 'subscription_id' | 'payment_id' | 'attempt_count'>;

/**
 * Whether a permanently refused message is on record, with an attempt for its payment. Nothing more can
 * become of it.
 */
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
