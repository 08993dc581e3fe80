import type { Dice } from '../../load/dice.ts';

/** How an endpoint behaves; instants in ms from the start. What fails, heals at `untilMs`; from then on it is quick. */
export type Behaviour =
  | { readonly kind: 'quick' }
  /** Takes a good part of its deadline, and succeeds. */
  | { readonly kind: 'slow'; readonly ofDeadline: number; readonly untilMs: number }
  /** Never answers, and takes nothing. */
  | { readonly kind: 'hanging'; readonly fromMs: number; readonly untilMs: number }
  /** Takes the message, and answers when nobody listens any more. */
  | { readonly kind: 'late'; readonly untilMs: number }
  | { readonly kind: 'flaky'; readonly failing: number; readonly untilMs: number }
  | { readonly kind: 'down'; readonly fromMs: number; readonly untilMs: number }
  /** Down and up and down again, each for so long. */
  | { readonly kind: 'flapping'; readonly eachMs: number; readonly untilMs: number }
  /** Refuses one payment; `says` is its `webhook-delivery` header. */
  | {
      readonly kind: 'refusing';
      readonly paymentId: string;
      readonly says: 'abort-message' | undefined;
      readonly untilMs: number;
    }
  /** Asks for patience. */
  | { readonly kind: 'overloaded'; readonly retryAfterSeconds: number; readonly untilMs: number }
  /** Wants nothing more: answers 410, or says `disable`. */
  | {
      readonly kind: 'gone';
      readonly statusCode: 200 | 410 | 500;
      readonly fromMs: number;
      readonly untilMs: number;
    };

/** What an endpoint does with one request. */
export interface Reaction {
  readonly takes: boolean;
  readonly statusCode: number;
  readonly afterMs: number;
  readonly headers?: Readonly<Record<string, string>>;
}

const NEVER_MS = 3_600_000;

export function reactionOf(
  behaviour: Behaviour,
  request: { readonly paymentId: string; readonly atMs: number; readonly deadlineMs: number },
  dice: Dice,
): Reaction {
  const quickly = dice.whole(5, 120);
  const thanks = { takes: true, statusCode: 200, afterMs: quickly };
  const broken = { takes: false, statusCode: 503, afterMs: quickly };
  if (behaviour.kind === 'quick' || request.atMs >= behaviour.untilMs) {
    return thanks;
  }
  if ('fromMs' in behaviour && request.atMs < behaviour.fromMs) {
    return thanks;
  }
  switch (behaviour.kind) {
    case 'slow':
      return { ...thanks, afterMs: Math.round(behaviour.ofDeadline * request.deadlineMs) };
    case 'hanging':
      return { ...broken, afterMs: NEVER_MS };
    case 'late':
      return { ...thanks, afterMs: NEVER_MS };
    case 'flaky':
      return dice.chance(behaviour.failing) ? broken : thanks;
    case 'down':
      return broken;
    case 'flapping':
      return Math.floor(request.atMs / behaviour.eachMs) % 2 === 0 ? broken : thanks;
    case 'refusing':
      if (request.paymentId !== behaviour.paymentId) {
        return thanks;
      }
      return behaviour.says === undefined
        ? broken
        : { ...broken, statusCode: 422, headers: { 'webhook-delivery': behaviour.says } };
    case 'overloaded':
      return {
        ...broken,
        statusCode: 429,
        headers: { 'retry-after': String(behaviour.retryAfterSeconds) },
      };
    case 'gone':
      return {
        takes: behaviour.statusCode === 200,
        statusCode: behaviour.statusCode,
        afterMs: quickly,
        ...(behaviour.statusCode === 410 ? {} : { headers: { 'webhook-delivery': 'disable' } }),
      };
  }
}
