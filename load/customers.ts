import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { partner } from '../client/partner.ts';
import { apiTokenTable } from '../functions/adapters/api-token-table.ts';
import { createToken } from '../functions/authorize/create-token.ts';
import { MOST_REQUESTS_PER_MINUTE } from '../functions/core/api-token.ts';
import type { Receipt } from '../functions/receiver/receipt.ts';
import { clientConfig } from '../local/local-account.ts';
import type { LocalOutputs } from '../local/outputs.ts';
import type { ReceiverServer } from './receiver-server.ts';

/** A service with one subscription at an endpoint of the receiver. */
export async function newCustomer(
  outputs: LocalOutputs,
  receiver: ReceiverServer,
  delayMs: readonly [least: number, most: number],
  serviceId: string,
) {
  const tokens = apiTokenTable(new DynamoDBClient(clientConfig(outputs.endpoint)), outputs.tables.apiTokens);
  const wish = { serviceId, description: 'measurement', requestsPerMinute: MOST_REQUESTS_PER_MINUTE };
  const { token } = await createToken(tokens, wish);
  const api = partner({ apiUrl: outputs.apiUrl, token });
  const url = `${receiver.url}/${serviceId}`;
  const { subscription_id, signing_secret } = await api.subscribe({
    callback_url: url,
    description: 'measurement',
    event_types: ['*'],
    live: false,
  });
  const leave = () => api.unsubscribe(subscription_id);
  try {
    await tellReceiver(url, { delay_ms: delayMs, secret: signing_secret });
  } catch (error) {
    await leave();
    throw error;
  }
  return {
    serviceId,
    messages: () => api.allMessages(subscription_id),
    receipts: () => receiptsAt(url),
    leave,
  };
}
export type Customer = Awaited<ReturnType<typeof newCustomer>>;

async function tellReceiver(url: string, settings: object): Promise<void> {
  const answer = await fetch(`${url}/settings`, { method: 'PUT', body: JSON.stringify(settings) });
  if (!answer.ok) {
    throw new Error(`The receiver refused its settings with ${answer.status}: ${await answer.text()}`);
  }
}

async function receiptsAt(url: string): Promise<Receipt[]> {
  const all: Receipt[] = [];
  for (;;) {
    const answer = await fetch(`${url}/receipts?after=${all.length}`);
    const { receipts } = (await answer.json()) as { receipts: Receipt[] };
    if (receipts.length === 0) {
      return all;
    }
    all.push(...receipts);
  }
}
