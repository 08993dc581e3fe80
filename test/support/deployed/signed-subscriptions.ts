import { Webhook } from 'standardwebhooks';
import { eventually } from '../eventually.ts';
import type { Arrival } from '../network/scripted-partner.ts';
import { happening } from './happening.ts';
import { partner } from './own-partner.ts';
import { service } from './own-service.ts';
import { stack } from './shared-stack.ts';

let count = 0;

/** A subscription of the test's service, with its own endpoint and with secrets that no worker has cached. */
export async function subscribed(over: Record<string, unknown> = {}) {
  const endpoint = `partner-${count++}`;
  const { id, secret } = await service.subscribe(partner.url(endpoint), {
    event_types: ['card_payment_captured'],
    ...over,
  });
  const path = `/subscriptions/${id}`;
  return {
    id,
    path,
    secret,
    async rotate(body: object = {}) {
      const answer = await service.call('POST', `${path}/secrets`, body);
      expect(answer.status).toBe(201);
      return answer.body;
    },
    /** Publishes an event for all subscriptions, and returns this one's webhook. */
    async next(): Promise<Arrival> {
      const before = partner.arrivals(endpoint).length;
      await stack.publish(happening(service));
      return eventually('a webhook arrives', async () => partner.arrivals(endpoint)[before]);
    },
    end: () => service.call('DELETE', path),
  };
}

/** Whether a webhook is signed with this secret. */
export function verifies({ headers, body }: Arrival, secret: string): boolean {
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
}
