import type { Settings } from './settings.ts';

/** How one webhook is to be answered. `delayMs` counts from its arrival. */
export type Plan =
  | { readonly kind: 'hang' }
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly delayMs: number;
      readonly headers: Readonly<Record<string, string>>;
    };

/** Two even draws from [0, 1): one for how long the answer takes, one for whether it is a refusal. */
export interface Dice {
  readonly delay: number;
  readonly failure: number;
}

/** What the endpoint does with a webhook that arrives at `nowMs` (since 1970) about this resource. */
export function behave(
  settings: Settings,
  webhook: { readonly resource_id?: string | undefined },
  nowMs: number,
  dice: Dice,
): Plan {
  if (settings.hang) return { kind: 'hang' };
  const refused = refuses(settings, webhook.resource_id, nowMs, dice);
  const retryAfter = refused ? settings.retry_after_seconds : undefined;
  return {
    kind: 'answer',
    status: refused ? settings.failure_status : 200,
    delayMs: delayOf(settings.delay_ms, dice.delay),
    headers: {
      ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }),
      ...settings.response_headers,
    },
  };
}

/** At once: who has too much to do does not wait before it says so. */
export function overloaded({ retry_after_seconds = 1, response_headers }: Settings): Plan {
  const headers = { 'retry-after': String(retry_after_seconds), ...response_headers };
  return { kind: 'answer', status: 429, delayMs: 0, headers };
}

function refuses(settings: Settings, resourceId: string | undefined, nowMs: number, dice: Dice): boolean {
  const { outage_until, failing_resource_id } = settings;
  if (outage_until !== undefined && nowMs < Date.parse(outage_until)) return true;
  if (failing_resource_id !== undefined && failing_resource_id === resourceId) return true;
  return dice.failure < settings.failure_rate;
}

function delayOf(delay: Settings['delay_ms'], draw: number): number {
  if (typeof delay === 'number') return delay;
  const [least, most] = delay;
  return least + Math.floor(draw * (most - least + 1));
}
