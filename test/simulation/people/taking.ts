import type { SubscriptionPlan } from '../plans/subscription-plan.ts';
import { isRefused, type Trouble } from './behaviour.ts';
import { type Input, isAmong } from './inputs.ts';

/** A request that could be made at any time within a span, in ms from the start. */
interface Span {
  readonly fromMs: number;
  readonly untilMs: number;
}

/**
 * Since when an endpoint would have taken an input at any time, in ms from the start: for certain, so that
 * what happens to a share of requests, in turns or beyond a rate counts as not taken while it lasts.
 *
 * @param span when it is asked about; the result lies within it
 * @returns undefined when it would not have taken it at the end of the span
 */
export function takenSince(
  { receiver: { latencyMs, troubles }, timeoutMs }: Pick<SubscriptionPlan, 'receiver' | 'timeoutMs'>,
  input: Input,
  span: Span,
): number | undefined {
  if (latencyMs[1] >= timeoutMs) {
    return undefined;
  }
  const ends = troubles.map((trouble) => struckUntil(trouble, input, span));
  const sinceMs = Math.max(span.fromMs, ...ends);
  return sinceMs < span.untilMs ? sinceMs : undefined;
}

/** When a problem last strikes an input within a span; before the span if it never does. */
function struckUntil(trouble: Trouble, input: Input, { fromMs, untilMs }: Span): number {
  const never = Number.NEGATIVE_INFINITY;
  if (trouble.fromMs >= untilMs || trouble.untilMs <= fromMs) {
    return never;
  }
  if (trouble.kind === 'refuses' && !isRefused(trouble, input.paymentId)) {
    return never;
  }
  if (trouble.kind === 'slow') {
    // It takes all that comes.
    return never;
  }
  if (trouble.kind === 'picky') {
    // What is too old stays so; what will be is not yet.
    const lastMs = Math.min(trouble.untilMs, untilMs);
    return isAmong(trouble.picks, input, lastMs) ? trouble.untilMs : never;
  }
  return trouble.untilMs;
}
