import type { Dice } from './dice.ts';

/** How an endpoint behaves; instants in ms from the start. What fails, heals at `untilMs`; from then on it is quick. */
export type Behaviour =
  | { readonly kind: 'quick' }
  /** Takes a good part of its deadline, and succeeds. */
  | { readonly kind: 'slow'; readonly ofDeadline: number }
  /** Never answers, and takes nothing. */
  | { readonly kind: 'hanging'; readonly untilMs: number }
  /** Takes the message, and answers when nobody listens any more. */
  | { readonly kind: 'late'; readonly untilMs: number }
  | { readonly kind: 'flaky'; readonly failing: number; readonly untilMs: number }
  | { readonly kind: 'down'; readonly fromMs: number; readonly untilMs: number }
  | { readonly kind: 'refusing'; readonly paymentId: string; readonly untilMs: number };

/** What an endpoint does with one request. */
export interface Reaction {
  readonly takes: boolean;
  readonly statusCode: number;
  readonly afterMs: number;
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
  if (behaviour.kind === 'slow') {
    return { ...thanks, afterMs: Math.round(behaviour.ofDeadline * request.deadlineMs) };
  }
  if (behaviour.kind === 'quick' || request.atMs >= behaviour.untilMs) {
    return thanks;
  }
  switch (behaviour.kind) {
    case 'hanging':
      return { ...broken, afterMs: NEVER_MS };
    case 'late':
      return { ...thanks, afterMs: NEVER_MS };
    case 'flaky':
      return dice.chance(behaviour.failing) ? broken : thanks;
    case 'down':
      return request.atMs < behaviour.fromMs ? thanks : broken;
    case 'refusing':
      return request.paymentId === behaviour.paymentId ? broken : thanks;
  }
}
