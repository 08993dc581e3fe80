import { checkSignature, type SignedWebhook } from '../../core/attempt/check-signature.ts';
import { type Answer, problem } from './answer.ts';
import { behave, type Dice, overloaded } from './behave.ts';
import { contentOf } from './receipt.ts';
import type { ReceiverStore } from './store/receiver-store.ts';
import { QUIET, readQuery } from './store/settings.ts';

export interface Webhook extends SignedWebhook {
  readonly endpoint: string;
  readonly query: URLSearchParams;
  /** Of the request, as the sender sent it. */
  readonly size_bytes: number;
}

/** The one who waits for our answer. */
export interface Sender {
  /** Lets so many ms pass, `Infinity` too. False as soon as the sender has gone or cannot be answered any more. */
  stays(ms: number): Promise<boolean>;
}

export interface ReceiverPorts {
  readonly store: ReceiverStore;
  /** May be as old as a cache allows; `store` itself never is. */
  readonly settingsOf: ReceiverStore['settingsOf'];
  nowMs(): number;
  roll(): Dice;
}

/**
 * Takes a webhook in: writes its arrival down, behaves as the endpoint's settings say (those in the query come first), writes the
 * answer down. A query that cannot be used is answered 400 and not written down.
 *
 * @returns undefined when there is nobody left to answer
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
    return problem(400, 'The query holds a setting that cannot be used.', overrides.faults);
  }
  const kept = await ports.settingsOf(endpoint);
  const settings = { ...(kept ?? QUIET), ...overrides.value };
  const content = contentOf(webhook);
  const { takes_per_second: max } = settings;
  const isFull = max > 0 && !(await ports.store.takeOne(endpoint, Math.floor(receivedAtMs / 1_000), max));
  const plan = isFull ? overloaded(settings) : behave(settings, content, receivedAtMs, ports.roll());
  const restMs =
    plan.kind === 'hang' ? Number.POSITIVE_INFINITY : receivedAtMs + plan.delayMs - ports.nowMs();
  const [key, stayed] = await Promise.all([
    ports.store.noteArrival({
      endpoint,
      received_at: new Date(receivedAtMs).toISOString(),
      size_bytes: webhook.size_bytes,
      signature: checkSignature(webhook, settings.secret, receivedAtMs),
      ...content,
    }),
    sender.stays(restMs),
  ]);
  if (plan.kind === 'hang' || !stayed) return undefined;
  const { status, headers } = plan;
  await ports.store.noteAnswer(endpoint, key, {
    status,
    answered_at: new Date(ports.nowMs()).toISOString(),
  });
  return { status, headers };
}
