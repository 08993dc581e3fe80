import { apiClient } from '../../../cli/partner/api-client.ts';
import { partner } from '../../../cli/partner/partner.ts';
import { createToken } from '../../../functions/api/authorize/create-token.ts';
import { MAX_REQUESTS_PER_MINUTE, removalOf } from '../../../functions/core/api/api-token.ts';
import type { MessageSummary, MessageView } from '../../../functions/core/message/message-view.ts';
import type { Receipt } from '../../../functions/load-lab/receiver/receipt.ts';
import type { LabStage } from '../stage/lab-stage.ts';

/** Settings of the partner's subscriptions. */
export interface SubscriptionOptions {
  readonly timeout_ms?: number;
  readonly rate_limit?: number;
}

/**
 * A partner of a load run: a service with an API token, and subscriptions that each call an endpoint of the
 * simulated receiver.
 */
export interface Partner {
  readonly serviceId: string;
  /** The result reports partners by group. */
  readonly group: string;
  readonly subscriptionIds: readonly string[];
  /** @param settingsOf settings of the endpoint with this index, from now on */
  behave(settingsOf: (index: number) => object): Promise<void>;
  change(settings: SubscriptionOptions): Promise<void>;
  /** All messages on record, of all subscriptions. */
  messages(): Promise<readonly MessageSummary[]>;
  message(messageId: string): Promise<MessageView>;
  /** A page of receipts of one subscription, in order of arrival, with numbers above `after`. */
  receipts(subscriptionId: string, after: number): Promise<readonly Receipt[]>;
  /**
   * Deletes the subscriptions, revokes the token and clears the endpoints. Never rejects; returns the errors.
   */
  leave(): Promise<readonly unknown[]>;
}

export interface PartnerOptions {
  readonly serviceId: string;
  readonly group: string;
  readonly subscriptions: number;
  readonly settings: SubscriptionOptions;
}

/** @throws when setup fails, after cleaning up */
export async function createPartner(
  stage: LabStage,
  { serviceId, group, subscriptions, settings }: PartnerOptions,
): Promise<Partner> {
  const { token, record } = await createToken(stage.tokens, {
    serviceId,
    description: 'load run',
    requestsPerMinute: MAX_REQUESTS_PER_MINUTE,
  });
  const connection = { apiUrl: stage.apiUrl, token };
  const call = apiClient(connection);
  const api = partner(connection);
  const endpoints: { id: string; endpoint: string; secret: string }[] = [];
  const endpointOf = (id: string) => endpoints.find(({ id: known }) => known === id)?.endpoint ?? '';
  const leave = async () => {
    const deleted = await Promise.allSettled(endpoints.map(({ id }) => api.unsubscribe(id)));
    const forgotten = await Promise.allSettled([
      ...endpoints.map(({ endpoint }) => stage.receiver.forget(endpoint)),
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
        ...settings,
      });
      endpoints.push({ id, endpoint, secret });
    }
  } catch (error) {
    await leave();
    throw error;
  }
  return {
    serviceId,
    group,
    subscriptionIds: endpoints.map(({ id }) => id),
    async behave(settingsOf) {
      await Promise.all(
        endpoints.map(({ endpoint, secret }, index) =>
          stage.receiver.behave(endpoint, { ...settingsOf(index), secret }),
        ),
      );
    },
    async change(body) {
      await Promise.all(endpoints.map(({ id }) => call('PATCH', `/subscriptions/${id}`, { body })));
    },
    messages: async () => (await Promise.all(endpoints.map(({ id }) => api.allMessages(id)))).flat(),
    message: async (messageId) => (await call('GET', `/messages/${messageId}`)) as MessageView,
    receipts: (subscriptionId, after) => stage.receiver.receipts(endpointOf(subscriptionId), after),
    leave,
  };
}
