import * as z from 'zod/mini';
import type { DeliveryPolicy } from '../attempt/delivery-policy.ts';
import { orderingKey } from '../message/message.ts';
import { instant } from '../text/instant.ts';
import type { OrderingKeyName } from './signal.ts';

/** A message that waits in a paused key. Pointers sort by their places; the first is the head. */
export const queuedMessageSchema = z.object({
  ordering_key: z.string(),
  place: z.string(),
  message_id: z.string(),
  /** From when its age counts: when it was admitted, or asked for again. ISO 8601 in UTC with milliseconds. */
  since: z.string(),
  /** Attempts that count for the schedule: probes do not. */
  failed_attempts: z.int().check(z.minimum(0)),
});
export type QueuedMessage = z.infer<typeof queuedMessageSchema>;

/** Order numbers of SQS have 20 digits, and may have up to 39. */
const LONGEST_ORDER_NUMBER = 39;

/**
 * Where a message waits in its key: by its order number; one that had ended and is sent late, behind all that have not, and among its like by its
 * order number too.
 */
export function positionOf({ order_number }: { readonly order_number: string }, late = false): string {
  // A tilde sorts after all digits.
  return `${late ? '~' : ''}${order_number.padStart(LONGEST_ORDER_NUMBER, '0')}`;
}

const lasting = {
  ordering_key: z.string(),
  service_id: z.string(),
  subscription_id: z.string(),
  payment_id: z.string(),
  /**
   * Advances with each change that `deliver` makes, also of the pointers: who writes on an old reading is refused. A key that is paused anew begins at the
   * time, in ms since 1970: who has read an earlier one of the same name must not take it for that.
   */
  revision: z.int(),
  /** `since` of the head, or of an earlier one that has ended: nothing before it in the key is older. */
  oldest_since: z.string(),
};

/**
 * A paused key; one that is not paused has no item. `waiting`: for the time of its head. `in_line`: for its subscription's circuit. `fault`: for an
 * operator, since something of ours keeps its head from being sent. Instants are ISO 8601 in UTC with milliseconds.
 */
export const blockedKeySchema = z.discriminatedUnion('state', [
  z.object({
    ...lasting,
    state: z.literal('waiting'),
    due_at: z.string(),
    /** When sweep looks at the key. */
    check_at: z.string(),
  }),
  z.object({
    ...lasting,
    state: z.literal('in_line'),
    /** Its place: since when it is in line. */
    parked_at: z.string(),
    /** Not hinted by a drain before this. */
    check_at: z.string(),
    /** When sweep looks at it: its oldest message is over age by then. Absent where a version wrote it that left this to ticks. */
    age_check_at: z.optional(z.string()),
  }),
  z.object({ ...lasting, state: z.literal('fault'), since: z.string(), explanation: z.string() }),
]);
export type BlockedKey = z.infer<typeof blockedKeySchema>;
type BlockedKeyState = BlockedKey['state'] | 'absent';

export type BlockedKeyInput =
  /** The head's attempt has failed, and counts; the next one is due then. */
  | { readonly kind: 'attempt_failed'; readonly dueAtMs: number }
  /** The head's attempt was a probe, and has failed. */
  | { readonly kind: 'probe_failed' }
  /** The circuit lets nothing pass. */
  | { readonly kind: 'barred' }
  /** There was no time for more. */
  | { readonly kind: 'handed_over' }
  /** The head has ended, and a rate limit lets the next one wait for its turn. */
  | { readonly kind: 'took_turn' }
  /** Something of ours keeps the head from being sent. */
  | { readonly kind: 'faulted'; readonly explanation: string }
  /** An operator says that it can go on. */
  | { readonly kind: 'released' }
  /** The head has ended and others wait behind it. */
  | { readonly kind: 'moved_on' }
  /** The last one has ended. */
  | { readonly kind: 'emptied' };

/** The machine: for each state, what it becomes. What is not listed cannot happen. */
const TRANSITIONS: {
  readonly [State in BlockedKeyState]: { readonly [Kind in BlockedKeyInput['kind']]?: BlockedKeyState };
} = {
  absent: {
    attempt_failed: 'waiting',
    probe_failed: 'in_line',
    barred: 'in_line',
    handed_over: 'waiting',
    faulted: 'fault',
  },
  waiting: {
    attempt_failed: 'waiting',
    probe_failed: 'in_line', // chosen while the index still had it in line
    barred: 'in_line',
    handed_over: 'waiting',
    faulted: 'fault',
    moved_on: 'waiting',
    took_turn: 'in_line',
    emptied: 'absent',
  },
  in_line: {
    attempt_failed: 'waiting',
    probe_failed: 'in_line', // where it is: probes go round without it moving
    barred: 'in_line', // where it is
    handed_over: 'in_line', // where it is: a hint is on its way
    faulted: 'fault',
    moved_on: 'in_line',
    took_turn: 'in_line', // where it is
    emptied: 'absent',
  },
  fault: {
    faulted: 'fault',
    released: 'waiting',
    moved_on: 'fault',
    emptied: 'absent',
  },
};

interface Context {
  readonly nowMs: number;
  readonly policy: Pick<DeliveryPolicy, 'graceMs' | 'longestTimerMs' | 'armedAheadMs' | 'totalAgeMs'>;
  readonly name: OrderingKeyName;
  /** `since` of the message that is its head now. */
  readonly oldestSince: string;
}

/**
 * The key after an input, with the next revision; undefined when it is paused no more.
 *
 * @throws when the state does not know the input, which would be a mistake of ours
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
    case 'in_line': {
      const parked_at = key?.state === 'in_line' ? key.parked_at : instant(nowMs);
      // While it is being worked on, or has a hint of its own on the way, a drain lets it be: it would add one hint each time.
      const isInHand = input.kind === 'moved_on' || input.kind === 'handed_over';
      const check_at = instant(isInHand ? nowMs + policy.graceMs : nowMs);
      const age_check_at = instant(ageCheckAtMs(Date.parse(context.oldestSince), nowMs, policy));
      return { ...lasting, state: 'in_line', parked_at, check_at, age_check_at };
    }
    case 'fault': {
      const known = key?.state === 'fault' ? key : { since: instant(nowMs), explanation: '' };
      const explanation = input.kind === 'faulted' ? input.explanation : known.explanation;
      return { ...lasting, state: 'fault', since: known.since, explanation };
    }
  }
}

/** The key after messages were added behind those that wait: whoever has read that there were no more is refused. */
export function withMoreBehind(key: BlockedKey): BlockedKey {
  return { ...key, revision: key.revision + 1 };
}

const MINUTE_MS = 60_000;

/**
 * When sweep has to look at a key in line: at the first full minute at which its oldest message is over age. Payments whose messages come within a minute
 * move in the index once. Over age already, the key has been looked at just now, and is looked at again after a while.
 */
function ageCheckAtMs(sinceMs: number, nowMs: number, { totalAgeMs, graceMs }: Context['policy']): number {
  const overAgeAtMs = Math.ceil((sinceMs + totalAgeMs) / MINUTE_MS) * MINUTE_MS;
  return overAgeAtMs > nowMs ? overAgeAtMs : nowMs + graceMs;
}

/** When sweep has to look at a key: some time after it was due, or ahead of that when it is too far away for a timer. */
export function checkAtMs(dueAtMs: number, nowMs: number, policy: Context['policy']): number {
  return dueAtMs - nowMs > policy.longestTimerMs
    ? dueAtMs - policy.armedAheadMs
    : Math.max(dueAtMs, nowMs) + policy.graceMs;
}
