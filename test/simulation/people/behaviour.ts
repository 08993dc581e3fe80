import type { Dice } from '../../support/dice.ts';
import { shareOf } from '../plans/share.ts';
import { type Input, isAmong, type Pick } from './inputs.ts';
import type { TokenBucket } from './token-bucket.ts';

/** Longer than any world, and a number that JSON can represent: such a problem never heals. */
export const FOR_EVER_MS = 1e12;

interface Span {
  /** From the start, in ms. */
  readonly fromMs: number;
  readonly untilMs: number;
  /** It comes and goes in turns of this length, beginning with it. Absent: it stays. */
  readonly turnMs?: number | undefined;
}

/** The share of requests, from 0 to 1, at random. */
interface OfRequests {
  readonly share: number;
}

/** What is wrong with an endpoint for a while. */
export type Trouble = Span &
  (
    | (OfRequests & { readonly kind: 'fails'; readonly statusCode: 500 | 503 })
    /** Never responds, and takes nothing. */
    | (OfRequests & { readonly kind: 'hangs' })
    /** Takes the message, but responds after the timeout. */
    | (OfRequests & { readonly kind: 'late' })
    /** Responds with `Retry-After`. */
    | (OfRequests & { readonly kind: 'overloaded'; readonly retryAfterSeconds: number })
    /** Refuses a share of all payments, always the same ones. `says` is its `webhook-delivery` header. */
    | {
        readonly kind: 'refuses';
        readonly share: number;
        /** A different number refuses different payments. */
        readonly salt: number;
        readonly statusCode: 400 | 404 | 422;
        readonly says?: 'abort-message' | undefined;
      }
    /** Takes this share of its timeout for each response. */
    | { readonly kind: 'slow'; readonly ofDeadline: number }
    /** Wants nothing more: responds with 410 or `disable`. */
    | { readonly kind: 'gone'; readonly statusCode: 200 | 410 | 500 }
    /** Cannot cope with some inputs, always the same ones; all others it takes. */
    | {
        readonly kind: 'picky';
        readonly picks: Pick;
        readonly answers: 400 | 404 | 409 | 429 | 500 | 503 | 'never' | 'closes';
      }
    /** Takes this many requests a second, and as many at once; refuses those beyond. */
    | {
        readonly kind: 'limited';
        readonly perSecond: number;
        readonly statusCode: 429 | 503;
        readonly retryAfterSeconds?: number | undefined;
      }
  );

/**
 * How an endpoint behaves: how long its responses take, and its problems. The first one that applies decides.
 */
export interface Behaviour {
  readonly latencyMs: readonly [least: number, most: number];
  readonly troubles: readonly Trouble[];
}

export const QUICK: Behaviour = { latencyMs: [5, 120], troubles: [] };

/** What an endpoint does with one request. */
export interface Reaction {
  readonly takes: boolean;
  /** Undefined: it closes the connection. */
  readonly statusCode: number | undefined;
  readonly afterMs: number;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Request {
  readonly paymentId: string;
  /** Undefined for a test ping. */
  readonly input: Input | undefined;
  /** Of the host. */
  readonly bucket: TokenBucket;
  /** From the start, in ms. */
  readonly atMs: number;
  readonly deadlineMs: number;
}

const NO_ANSWER_MS = 3_600_000;

export function reactionOf({ latencyMs, troubles }: Behaviour, request: Request, dice: Dice): Reaction {
  const afterMs = dice.whole(...latencyMs);
  const chance = dice.draw();
  let passed = 0;
  for (const trouble of troubles) {
    if (!isThere(trouble, request.atMs)) {
      continue;
    }
    if ('share' in trouble && trouble.kind !== 'refuses') {
      // Shares add up: if a tenth hangs and a tenth fails, eight tenths succeed.
      passed += trouble.share;
      if (chance >= passed) {
        continue;
      }
    }
    const reaction = struckBy(trouble, request, afterMs);
    if (reaction !== undefined) {
      return reaction;
    }
  }
  return { takes: true, statusCode: 200, afterMs };
}

/** Whether a problem applies at an instant. */
function isThere({ fromMs, untilMs, turnMs }: Span, atMs: number): boolean {
  return (
    atMs >= fromMs &&
    atMs < untilMs &&
    (turnMs === undefined || Math.floor((atMs - fromMs) / turnMs) % 2 === 0)
  );
}

function struckBy(trouble: Trouble, request: Request, afterMs: number): Reaction | undefined {
  const taken = { takes: true, statusCode: 200, afterMs };
  const untaken = { takes: false, statusCode: 503, afterMs };
  switch (trouble.kind) {
    case 'fails':
      return { ...untaken, statusCode: trouble.statusCode };
    case 'hangs':
      return { ...untaken, afterMs: NO_ANSWER_MS };
    case 'late':
      return { ...taken, afterMs: NO_ANSWER_MS };
    case 'slow':
      return { ...taken, afterMs: Math.max(afterMs, Math.round(trouble.ofDeadline * request.deadlineMs)) };
    case 'overloaded':
      return {
        ...untaken,
        statusCode: 429,
        headers: { 'retry-after': String(trouble.retryAfterSeconds) },
      };
    case 'refuses':
      return isRefused(trouble, request.paymentId)
        ? {
            ...untaken,
            statusCode: trouble.statusCode,
            ...(trouble.says === undefined ? {} : { headers: { 'webhook-delivery': trouble.says } }),
          }
        : undefined;
    case 'gone':
      return {
        takes: trouble.statusCode === 200,
        statusCode: trouble.statusCode,
        afterMs,
        ...(trouble.statusCode === 410 ? {} : { headers: { 'webhook-delivery': 'disable' } }),
      };
    case 'picky':
      return request.input !== undefined && isAmong(trouble.picks, request.input, request.atMs)
        ? pickyReaction(trouble.answers, afterMs)
        : undefined;
    case 'limited':
      return request.bucket.take(trouble.perSecond, request.atMs)
        ? undefined
        : {
            ...untaken,
            statusCode: trouble.statusCode,
            ...(trouble.retryAfterSeconds === undefined
              ? {}
              : { headers: { 'retry-after': String(trouble.retryAfterSeconds) } }),
          };
  }
}

function pickyReaction(answers: (Trouble & { kind: 'picky' })['answers'], afterMs: number): Reaction {
  return {
    takes: false,
    statusCode: typeof answers === 'number' ? answers : undefined,
    afterMs: answers === 'never' ? NO_ANSWER_MS : afterMs,
  };
}

export function isRefused(
  { salt, share }: { readonly salt: number; readonly share: number },
  paymentId: string,
): boolean {
  return shareOf(`${salt} ${paymentId}`) < share;
}
