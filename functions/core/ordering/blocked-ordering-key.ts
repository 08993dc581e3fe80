import * as z from 'zod/mini';
import type { DeliveryPolicy } from '../attempt/delivery-policy.ts';
import { orderingKey } from '../message/message.ts';
import { checkAtMs } from '../signal/due.ts';
import type { OrderingKeyName } from '../signal/signal.ts';
import { instant } from '../text/instant.ts';
import { leaseSchema } from './lease.ts';

/** A message that waits for a blocked ordering key. They sort by position; the first is the head. */
export const queuedMessageSchema = z.object({
  ordering_key: z.string(),
  position: z.string(),
  message_id: z.string(),
  /**
   * From when its age counts: since it was admitted, or asked for again. ISO 8601 in UTC with milliseconds.
   */
  since: z.string(),
  /** Attempts that count for the schedule: probes do not. */
  failed_attempts: z.int().check(z.minimum(0)),
  /** Its partner has it in hand. */
  lease: z.optional(leaseSchema),
});
export type QueuedMessage = z.infer<typeof queuedMessageSchema>;

const lasting = {
  ordering_key: z.string(),
  service_id: z.string(),
  subscription_id: z.string(),
  payment_id: z.string(),
  /**
   * Optimistic lock: advances with each change that `deliver` makes, also of queued messages, and stale
   * writers fail. An ordering key that is blocked anew starts at the time, in ms since 1970, so that it is
   * not taken for an earlier one.
   */
  revision: z.int(),
  /** `since` of the head, or of an earlier head that has ended: no message that waits is older. */
  oldest_since: z.string(),
};

/**
 * A blocked ordering key; any other has no item. `waiting`: until its head is due. `backlogged`: in its
 * subscription's backlog. `stuck`: for an operator, since an internal error keeps its head from being sent.
 * Instants are ISO 8601 in UTC with milliseconds.
 */
export const blockedKeySchema = z.discriminatedUnion('state', [
  z.object({
    ...lasting,
    state: z.literal('waiting'),
    due_at: z.string(),
    /** When sweep checks it. */
    check_at: z.string(),
  }),
  z.object({
    ...lasting,
    state: z.literal('backlogged'),
    /** Its position in the backlog: since when its head waits, or when it joined a drain. */
    backlogged_at: z.string(),
    /** A drain does not signal it before this. */
    check_at: z.string(),
    /** When sweep checks it: its oldest message is over age by then. */
    age_check_at: z.string(),
  }),
  z.object({ ...lasting, state: z.literal('stuck'), since: z.string(), explanation: z.string() }),
]);
export type BlockedKey = z.infer<typeof blockedKeySchema>;
type BlockedKeyState = BlockedKey['state'] | 'absent';

/**
 * An input of the machine below: what a decision means for the ordering key. Some follow from no attempt at
 * all.
 */
export type BlockedKeyInput =
  /** The attempt of its head has failed, and counts; the next one is due then. */
  | { readonly kind: 'attempt_failed'; readonly dueAtMs: number }
  /** The attempt of its head was a probe, and has failed. */
  | { readonly kind: 'probe_failed' }
  /** The gate is closed: it joins the backlog. `fromMs`: its turn comes then, and its place is by that. */
  | { readonly kind: 'barred'; readonly fromMs?: number | undefined }
  /** There was no time left: the next batch continues. */
  | { readonly kind: 'handed_over' }
  /** The head has ended; the next message has to wait for its turn, as a rate limit wants. */
  | { readonly kind: 'took_turn' }
  /** An internal error keeps the head from being sent. */
  | { readonly kind: 'got_stuck'; readonly explanation: string }
  /** An operator releases it, or its partner asks for the next attempt at once or cancels the head. */
  | { readonly kind: 'released' }
  /** The head has ended and others wait behind it. */
  | { readonly kind: 'moved_on' }
  /** The last message has ended. */
  | { readonly kind: 'emptied' };

/** The machine: by state and input, the next state. What is not listed cannot happen. */
const TRANSITIONS: {
  readonly [State in BlockedKeyState]: { readonly [Kind in BlockedKeyInput['kind']]?: BlockedKeyState };
} = {
  absent: {
    attempt_failed: 'waiting',
    probe_failed: 'backlogged',
    barred: 'backlogged',
    handed_over: 'waiting',
    got_stuck: 'stuck',
  },
  waiting: {
    attempt_failed: 'waiting',
    probe_failed: 'backlogged', // chosen while the index still had it in the backlog
    barred: 'backlogged',
    handed_over: 'waiting',
    got_stuck: 'stuck',
    released: 'waiting',
    moved_on: 'waiting',
    took_turn: 'backlogged',
    emptied: 'absent',
  },
  backlogged: {
    attempt_failed: 'waiting',
    probe_failed: 'backlogged', // keeps its position: probes go round by themselves
    barred: 'backlogged', // keeps its position, unless its endpoint named a time
    handed_over: 'backlogged', // keeps its position: a signal is on its way
    got_stuck: 'stuck',
    moved_on: 'backlogged',
    took_turn: 'backlogged', // keeps its position
    emptied: 'absent',
  },
  stuck: {
    got_stuck: 'stuck',
    released: 'waiting',
    moved_on: 'stuck',
    emptied: 'absent',
  },
};

interface Context {
  readonly nowMs: number;
  readonly policy: Pick<DeliveryPolicy, 'graceMs' | 'longestTimerMs' | 'armedAheadMs' | 'totalAgeMs'>;
  readonly name: OrderingKeyName;
  /** `since` of the message that is the head now. */
  readonly oldestSince: string;
}

/**
 * The ordering key after an input, with the next revision; undefined when it is not blocked any more.
 *
 * @throws when the state does not know the input, which would be a bug
 */
export function nextBlockedKey(
  key: BlockedKey | undefined,
  input: BlockedKeyInput,
  context: Context,
): BlockedKey | undefined {
  const from: BlockedKeyState = key?.state ?? 'absent';
  const to = TRANSITIONS[from][input.kind];
  if (to === undefined) {
    throw new Error(`a key that is ${from} cannot have ${input.kind}`);
  }
  const { nowMs, policy, name } = context;
  const lasting = {
    ordering_key: orderingKey(name),
    service_id: name.service_id,
    subscription_id: name.subscription_id,
    payment_id: name.payment_id,
    revision: (key?.revision ?? nowMs) + 1,
    oldest_since: context.oldestSince,
  };
  switch (to) {
    case 'absent':
      return undefined;
    case 'waiting': {
      const dueAtMs =
        input.kind === 'attempt_failed'
          ? input.dueAtMs
          : input.kind === 'moved_on' && key?.state === 'waiting'
            ? Date.parse(key.due_at)
            : nowMs;
      const check_at = instant(checkAtMs(dueAtMs, nowMs, policy));
      return { ...lasting, state: 'waiting', due_at: instant(dueAtMs), check_at };
    }
    case 'backlogged': {
      const fromMs = input.kind === 'barred' ? input.fromMs : undefined;
      const known = key?.state === 'backlogged' ? key.backlogged_at : instant(nowMs);
      const backlogged_at = fromMs === undefined ? known : instant(fromMs);
      // A drain leaves it alone while it is being worked on, or has a signal of its own on the way.
      const isInHand = input.kind === 'moved_on' || input.kind === 'handed_over';
      const check_at = instant(isInHand ? nowMs + policy.graceMs : (fromMs ?? nowMs));
      const age_check_at = instant(ageCheckAtMs(Date.parse(context.oldestSince), nowMs, policy));
      return { ...lasting, state: 'backlogged', backlogged_at, check_at, age_check_at };
    }
    case 'stuck': {
      const known = key?.state === 'stuck' ? key : { since: instant(nowMs), explanation: '' };
      const explanation = input.kind === 'got_stuck' ? input.explanation : known.explanation;
      return { ...lasting, state: 'stuck', since: known.since, explanation };
    }
  }
}

/**
 * The ordering key after messages behind its head are added or cancelled: a worker that has read others fails
 * to write.
 */
export function withOthersBehind(key: BlockedKey): BlockedKey {
  return { ...key, revision: key.revision + 1 };
}

const MINUTE_MS = 60_000;

/**
 * When sweep checks an ordering key in the backlog: at the first full minute at which its oldest message is
 * over age, so that a payment with several messages a minute moves in the index once. If that has passed, it
 * has just been checked, and is checked again after a while.
 */
function ageCheckAtMs(sinceMs: number, nowMs: number, { totalAgeMs, graceMs }: Context['policy']): number {
  const overAgeAtMs = Math.ceil((sinceMs + totalAgeMs) / MINUTE_MS) * MINUTE_MS;
  return overAgeAtMs > nowMs ? overAgeAtMs : nowMs + graceMs;
}
