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

/** Uniform draws from [0, 1): for the delay of the answer, and whether it is a refusal. */
export interface Dice {
  readonly delay: number;
  readonly failure: number;
}

/** What a webhook is about. */
interface About {
  readonly resource_id?: string | undefined;
}

/** What the endpoint does with a webhook that arrives at `nowMs`, in ms since 1970. */
export function behave(settings: Settings, webhook: About, nowMs: number, dice: Dice): Plan {
  if (settings.hang) return { kind: 'hang' };
  return {
    kind: 'answer',
    status: isRefused(settings, webhook, nowMs, dice) ? settings.failure_status : 200,
    delayMs: delayOf(settings.delay_ms, dice.delay),
    headers: settings.response_headers,
  };
}

function isRefused(settings: Settings, about: About, nowMs: number, dice: Dice): boolean {
  const { outage_until, failing_resource_id, failure_rate } = settings;
  if (outage_until !== undefined && nowMs < Date.parse(outage_until)) return true;
  if (failing_resource_id !== undefined && failing_resource_id === about.resource_id) return true;
  return dice.failure < failure_rate;
}

function delayOf(delay: Settings['delay_ms'], draw: number): number {
  if (typeof delay === 'number') return delay;
  const [least, max] = delay;
  return least + Math.floor(draw * (max - least + 1));
}
