import { apiClient } from '../../../cli/partner/api-client.ts';
import { partner } from '../../../cli/partner/partner.ts';
import { createToken } from '../../../functions/api/authorize/create-token.ts';
import { MAX_REQUESTS_PER_MINUTE, removalOf } from '../../../functions/core/api/api-token.ts';
import type { CircuitState } from '../../../functions/core/circuit/circuit.ts';
import type { MessageSummary, MessageView } from '../../../functions/core/message/message-view.ts';
import type { SubscriptionView } from '../../../functions/core/subscription/subscription-view.ts';
import type { Receipt } from '../../../functions/load-lab/receiver/receipt.ts';
import type { LabStage } from '../stage/lab-stage.ts';

/** What the partner asks for with its subscriptions. */
export interface SubscriptionOptions {
  readonly timeout_ms?: number;
  readonly rate_limit?: number;
}

/** A service with an API token and subscriptions, each at an endpoint of the simulated receiver. */
export interface Customer {
  readonly serviceId: string;
  /** Of the result. */
  readonly group: string;
  readonly subscriptionIds: readonly string[];
  /** @param settingsOf how the endpoint with this number among the customer's behaves from now on */
  behave(settingsOf: (index: number) => object): Promise<void>;
  change(wanted: SubscriptionOptions): Promise<void>;
  /** All that are on record, of all its subscriptions. */
  messages(): Promise<readonly MessageSummary[]>;
  message(messageId: string): Promise<MessageView>;
  /** What waits for all its subscriptions, as the API shows it. */
  waiting(): Promise<number>;
  /** The states of its subscriptions' circuits, as the API shows them. */
  circuits(): Promise<readonly CircuitState[]>;
  /** Of one subscription, in order of arrival, a page above a number. */
  receipts(subscriptionId: string, after: number): Promise<readonly Receipt[]>;
  /** Deletes its subscriptions, revokes its token and has the receiver forget it. Never rejects; answers what it could not do. */
  leave(): Promise<readonly unknown[]>;
}

export interface CustomerOptions {
  readonly serviceId: string;
  readonly group: string;
  readonly subscriptions: number;
  readonly wanted: SubscriptionOptions;
}

/** @throws when it could not be made; what was made of it is gone again */
export async function newCustomer(
  stage: LabStage,
  { serviceId, group, subscriptions, wanted }: CustomerOptions,
): Promise<Customer> {
  const { token, record } = await createToken(stage.tokens, {
    serviceId,
    description: 'load run',
    requestsPerMinute: MAX_REQUESTS_PER_MINUTE,
  });
  const connection = { apiUrl: stage.apiUrl, token };
  const call = apiClient(connection);
  const api = partner(connection);
  const made: { id: string; endpoint: string; secret: string }[] = [];
  const endpointOf = (id: string) => made.find((one) => one.id === id)?.endpoint ?? '';
  const leave = async () => {
    const deleted = await Promise.allSettled(made.map(({ id }) => api.unsubscribe(id)));
    const forgotten = await Promise.allSettled([
      ...made.map(({ endpoint }) => stage.receiver.forget(endpoint)),
      stage.tokens.revoke(record.token_hash, {
        revoked_at: new Date().toISOString(),
        remove_at_epoch_seconds: removalOf(Date.now()),
      }),
    ]);
    return [...deleted, ...forgotten].flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  };
  try {
    for (let index = 0; index < subscriptions; index += 1) {
      const endpoint = `${serviceId}-${index}`;
      const { subscription_id: id, signing_secret: secret } = await api.subscribe({
        callback_url: stage.receiver.callbackUrl(endpoint),
        description: 'load run',
        event_types: ['*'],
        live: false,
        ...wanted,
      });
      made.push({ id, endpoint, secret });
    }
  } catch (error) {
    await leave();
    throw error;
  }
  return {
    serviceId,
    group,
    subscriptionIds: made.map(({ id }) => id),
    async behave(settingsOf) {
      await Promise.all(
        made.map(({ endpoint, secret }, index) =>
          stage.receiver.behave(endpoint, { ...settingsOf(index), secret }),
        ),
      );
    },
    async change(body) {
      await Promise.all(made.map(({ id }) => call('PATCH', `/subscriptions/${id}`, { body })));
    },
    messages: async () => (await Promise.all(made.map(({ id }) => api.allMessages(id)))).flat(),
    async waiting() {
      const shown = await Promise.all(made.map(({ id }) => call('GET', `/subscriptions/${id}/statistics`)));
      return shown.reduce<number>(
        (sum, one) => sum + (one as { waiting: { count: number } }).waiting.count,
        0,
      );
    },
    async circuits() {
      const shown = await Promise.all(made.map(({ id }) => call('GET', `/subscriptions/${id}`)));
      return shown.map((one) => (one as SubscriptionView).circuit.state);
    },
    message: async (messageId) => (await call('GET', `/messages/${messageId}`)) as MessageView,
    receipts: (subscriptionId, after) => stage.receiver.receipts(endpointOf(subscriptionId), after),
    leave,
  };
}
