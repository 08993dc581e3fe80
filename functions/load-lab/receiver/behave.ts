import { refusesPayment } from './refused-payment.ts';
import type { Settings } from './store/settings.ts';

/** How to answer a webhook. `delayMs` counts from its arrival. */
export type Plan =
  | { readonly kind: 'hang' }
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly delayMs: number;
      readonly headers: Readonly<Record<string, string>>;
    };

/**
 * Uniform draws from [0, 1): for the delay of the answer, whether it is a refusal, and whether there is none.
 */
export interface Dice {
  readonly delay: number;
  readonly failure: number;
  readonly hang: number;
}

/** What a webhook is about. */
interface About {
  readonly resource_id?: string | undefined;
  readonly payment_id?: string | undefined;
}

/** What the endpoint does with a webhook that arrives at `nowMs`, in ms since 1970. */
export function behave(settings: Settings, webhook: About, nowMs: number, dice: Dice): Plan {
  if (settings.hang) return { kind: 'hang' };
  const status = refusalOf(settings, webhook, nowMs, dice);
  if (status === undefined && dice.hang < settings.hang_share) return { kind: 'hang' };
  return {
    kind: 'answer',
    status: status ?? 200,
    delayMs: delayOf(settings.delay_ms, dice.delay),
    headers: settings.response_headers,
  };
}

/** The answer of an endpoint above its limit, without delay. */
export function overloaded({ response_headers }: Settings): Plan {
  return { kind: 'answer', status: 429, delayMs: 0, headers: { 'retry-after': '1', ...response_headers } };
}

/** The status of a refusal; undefined: accepted. An endpoint that is down refuses everything alike. */
function refusalOf(settings: Settings, about: About, nowMs: number, dice: Dice): number | undefined {
  const { failing_resource_id, failure_rate, failure_status, refused_share, refused_status } = settings;
  if (isDown(settings, nowMs)) return failure_status;
  if (failing_resource_id !== undefined && failing_resource_id === about.resource_id) return failure_status;
  if (about.payment_id !== undefined && refusesPayment(refused_share, about.payment_id))
    return refused_status;
  return dice.failure < failure_rate ? failure_status : undefined;
}

function isDown({ outage_until, flap_seconds }: Settings, nowMs: number): boolean {
  if (outage_until !== undefined && nowMs < Date.parse(outage_until)) return true;
  if (flap_seconds === undefined) return false;
  // Counted from 1970, so that all instances change at the same time.
  const [upMs, downMs] = [flap_seconds[0] * 1_000, flap_seconds[1] * 1_000];
  return nowMs % (upMs + downMs) >= upMs;
}

function delayOf(delay: Settings['delay_ms'], draw: number): number {
  if (typeof delay === 'number') return delay;
  const [least, max] = delay;
  return least + Math.floor(draw * (max - least + 1));
}
