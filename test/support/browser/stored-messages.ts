import { historyWriter } from '../../../functions/adapters/dynamodb/history/history-writer.ts';
import { DELIVERY_POLICY } from '../../../functions/core/attempt/delivery-policy.ts';
import type { MessageRecord } from '../../../functions/core/message/history.ts';
import { messageId } from '../../../functions/core/message/message.ts';
import type { DeployedStack, Service } from '../deployed/deployed-stack.ts';

/**
 * Puts messages on record as if they had been delivered, one after another up to now, without publishing
 * them.
 *
 * @param over what is special about one of them, by its number, 0 for the oldest
 * @param everyMs from one to the next
 * @returns their ids
 */
export async function storeMessages(
  { dynamodb, outputs }: Pick<DeployedStack, 'dynamodb' | 'outputs'>,
  { serviceId }: Pick<Service, 'serviceId'>,
  subscription_id: string,
  count: number,
  over: (number: number) => Partial<MessageRecord> = () => ({}),
  everyMs = 1_000,
): Promise<string[]> {
  const save = historyWriter(dynamodb, outputs.tables.history, DELIVERY_POLICY.retentionDays);
  const untilMs = Date.now();
  const outcomes = Array.from({ length: count }, (_, number) => {
    const at = new Date(untilMs - (count - number) * everyMs).toISOString();
    const special = over(number);
    const { payment_id = `pay-${number}`, event_id = `evt-${subscription_id.slice(4)}-${number}` } = special;
    const attempt = { attempt: 1, started_at: at, duration_ms: 20 + (number % 50), status_code: 200 };
    const record: MessageRecord = {
      message_id: messageId({ service_id: serviceId, payment_id, event_id, subscription_id }),
      event_id,
      service_id: serviceId,
      subscription_id,
      payment_id,
      ordering_key: `${subscription_id}.${payment_id}`,
      order_number: String(number),
      event_type: 'card_payment_captured',
      resource_type: 'payment',
      resource_id: payment_id,
      live: false,
      occurred_at: at,
      admitted_at: at,
      state: 'succeeded',
      attempt_count: 1,
      time_to_send_ms: 5 + (number % 90),
      ended_at: at,
      last_attempt_at: at,
      last_status_code: 200,
      body_format: 1,
      resource: JSON.stringify({ payment_id }),
      first_attempt: attempt,
      ...special,
    };
    return { record };
  });
  for (let from = 0; from < count; from += 1_000) {
    const { untaken, refused, internalErrors } = await save(outcomes.slice(from, from + 1_000));
    expect([untaken.size, refused.size, internalErrors]).toEqual([0, 0, []]);
  }
  return outcomes.map(({ record }) => record.message_id);
}
