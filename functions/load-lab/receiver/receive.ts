import { checkSignature, type SignedWebhook } from '../../core/attempt/check-signature.ts';
import { type Answer, problem } from './answer.ts';
import { behave, type Dice } from './behave.ts';
import { contentOf } from './receipt.ts';
import type { ReceiverStore } from './store/receiver-store.ts';
import { QUIET, readQuery } from './store/settings.ts';

export interface Webhook extends SignedWebhook {
  readonly endpoint: string;
  readonly query: URLSearchParams;
}

/** The client that waits for our answer. */
export interface Sender {
  /** Waits for `ms`, which may be `Infinity`. False as soon as the sender has left or cannot be answered. */
  stays(ms: number): Promise<boolean>;
}

export interface ReceiverPorts {
  readonly store: ReceiverStore;
  /** May return cached settings; `store` itself never does. */
  readonly settingsOf: ReceiverStore['settingsOf'];
  nowMs(): number;
  roll(): Dice;
}

/**
 * Receives a webhook: records its arrival, behaves as the endpoint's settings say (settings in the query take
 * precedence), and records the answer. An invalid query gets 400 and is not recorded.
 *
 * @returns undefined when nobody waits for the answer any more
 */
export async function receive(
  webhook: Webhook,
  sender: Sender,
  ports: ReceiverPorts,
): Promise<Answer | undefined> {
  const { endpoint } = webhook;
  const receivedAtMs = ports.nowMs();
  const overrides = readQuery(webhook.query);
  if (overrides.kind === 'unusable') {
    return problem(400, 'The query contains an invalid setting.', overrides.fieldErrors);
  }
  const stored = await ports.settingsOf(endpoint);
  const settings = { ...(stored ?? QUIET), ...overrides.value };
  const content = contentOf(webhook);
  const plan = behave(settings, content, receivedAtMs, ports.roll());
  const restMs =
    plan.kind === 'hang' ? Number.POSITIVE_INFINITY : receivedAtMs + plan.delayMs - ports.nowMs();
  const [key, stayed] = await Promise.all([
    ports.store.recordArrival({
      endpoint,
      received_at: new Date(receivedAtMs).toISOString(),
      signature: checkSignature(webhook, settings.secret, receivedAtMs),
      ...content,
    }),
    sender.stays(restMs),
  ]);
  if (plan.kind === 'hang' || !stayed) return undefined;
  const { status, headers } = plan;
  await ports.store.recordAnswer(endpoint, key, {
    status,
    answered_at: new Date(ports.nowMs()).toISOString(),
  });
  return { status, headers };
}
