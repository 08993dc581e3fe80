import * as z from 'zod/mini';
import { matchesPattern } from '../catalogue/catalogue.ts';
import { isPing } from '../catalogue/ping-names.ts';
import { positionOf } from '../sequence/order-number.ts';
import type { Timer } from '../signal/timer.ts';
import { instant } from '../text/instant.ts';
import { messageRecordSchema } from './history.ts';

/** `stopped`: its partner stopped it, or deleted the subscription, before it was done. */
const RECOVERY_STATES = ['running', 'done', 'stopped'] as const;

/** The states of messages that a recovery resends unless it names some. */
const FAILED_STATES = ['exhausted', 'cancelled'] as const;
export const RECOVERABLE_STATES = [...FAILED_STATES, 'succeeded'] as const;

/**
 * A partner's request to resend messages of a subscription that were admitted in a time range and have ended,
 * and how far it has come. Instants are ISO 8601 in UTC with milliseconds.
 */
export const recoverySchema = z.object({
  service_id: z.string(),
  subscription_id: z.string(),
  recovery_id: z.string(),
  state: z.enum(RECOVERY_STATES),
  /** From this instant on … */
  since: z.string(),
  /** … and before this one. */
  until: z.string(),
  /** Only messages in one of these states. Absent: in any that ended without success. */
  states: z.optional(z.array(z.enum(RECOVERABLE_STATES))),
  /** Only messages of these types, or with these prefixes followed by `*`. Absent: of all. */
  event_types: z.optional(z.array(z.string())),
  /** Only messages of these payments. Absent: of all. */
  payment_ids: z.optional(z.array(z.string())),
  /** Only messages that this filter takes, by what they were made to say: JSON text. Absent: all. */
  filter: z.optional(z.string()),
  /** Advances with each page: a timer of an earlier page does nothing. */
  step: z.int(),
  /** Messages admitted before this have been examined. */
  continue_at: z.string(),
  /** Messages that it has examined, whatever their state. */
  examined_count: z.int(),
  /** Those of them that it has resent. */
  resent_count: z.int(),
  started_at: z.string(),
  ended_at: z.optional(z.string()),
});
export type Recovery = z.infer<typeof recoverySchema>;

/** Which messages are wanted. Delivered ones only as of when it started. */
export type Selection = Pick<
  Recovery,
  'since' | 'until' | 'states' | 'event_types' | 'payment_ids' | 'filter' | 'started_at'
>;

/** What a recovery needs to know about a message: all of it is in the index by subscription. */
export const pastMessageSchema = z.pick(messageRecordSchema, {
  message_id: true,
  service_id: true,
  subscription_id: true,
  payment_id: true,
  event_type: true,
  order_number: true,
  admitted_at: true,
  state: true,
  state_reason: true,
  ended_at: true,
  body_erased_at: true,
});
export type PastMessage = z.infer<typeof pastMessageSchema>;

/** Messages in the order of their intake, with all messages of each instant. */
export interface PastPage {
  readonly messages: readonly PastMessage[];
  /** The instant at which the next page begins; absent when there is none. */
  readonly continueAt?: string;
}

/** Between two steps of a recovery. */
export const STEP_EVERY_MS = 1_000;
/**
 * Messages resent per step by all recoveries of a service together: as many as the drain of one subscription
 * has under way.
 */
const MAX_RESENT = 100;

/** Random bytes of a recovery's id: with 128 bits there are no accidental collisions. */
export const RECOVERY_ID_BYTES = 16;

export function recoveryIdOf(bytes: Uint8Array): string {
  return `rec_${Buffer.from(bytes).toString('base64url')}`;
}

export function newRecovery(
  wanted: Selection & Pick<Recovery, 'service_id' | 'subscription_id' | 'recovery_id'>,
): Recovery {
  return {
    ...wanted,
    state: 'running',
    step: 0,
    continue_at: wanted.since,
    examined_count: 0,
    resent_count: 0,
  };
}

/**
 * Whether a recovery may resend a message: it has ended, was not cancelled by its partner, had not expired, its
 * subscription is not deleted, and there is still something to send. A test ping is never resent.
 */
export function isRecoverable({
  state,
  state_reason,
  body_erased_at,
  event_type,
}: Pick<PastMessage, 'state' | 'state_reason' | 'body_erased_at' | 'event_type'>): boolean {
  return (
    body_erased_at === undefined &&
    !isPing({ event_type }) &&
    (state === 'exhausted' ||
      state === 'succeeded' ||
      (state === 'cancelled' && (state_reason === 'skipped' || state_reason === 'disabled')))
  );
}

/** Which messages of a page are wanted, as far as the index tells. */
export function wantedOf(
  { states, event_types, payment_ids, started_at }: Selection,
  { messages }: Pick<PastPage, 'messages'>,
): PastMessage[] {
  const wanted: readonly string[] = states ?? FAILED_STATES;
  const payments = payment_ids && new Set(payment_ids);
  // A step that is repeated sends nothing twice that has been delivered again meanwhile.
  const isOver = ({ state, ended_at = '' }: PastMessage) => state !== 'succeeded' || ended_at < started_at;
  return messages.filter(
    (message) =>
      isRecoverable(message) &&
      wanted.includes(message.state) &&
      (event_types?.some((pattern) => matchesPattern(message.event_type, pattern)) ?? true) &&
      (payments?.has(message.payment_id) ?? true) &&
      isOver(message),
  );
}

/**
 * What a running recovery makes of a page: which messages are resent, those of each payment in order, and the
 * recovery once they are. All messages of one instant belong to the same step.
 *
 * @param wanted messages of the page
 * @param share how many it resends, or a whole instant: see `shareOf`
 */
export function recoveryStep(
  recovery: Recovery,
  page: PastPage,
  wanted: readonly PastMessage[],
  share: number,
  nowMs: number,
): { readonly resend: readonly PastMessage[]; readonly after: Recovery } {
  const chosen = new Set(wanted);
  const taken: PastMessage[] = [];
  const recoverable: PastMessage[] = [];
  for (const message of page.messages) {
    if (recoverable.length >= share && message.admitted_at !== taken.at(-1)?.admitted_at) {
      break;
    }
    taken.push(message);
    if (chosen.has(message)) {
      recoverable.push(message);
    }
  }
  const resend = recoverable.sort((a, b) => (positionOf(a) < positionOf(b) ? -1 : 1));
  const continueAt = page.messages[taken.length]?.admitted_at ?? page.continueAt;
  const after: Recovery = {
    ...recovery,
    step: recovery.step + 1,
    examined_count: recovery.examined_count + taken.length,
    resent_count: recovery.resent_count + resend.length,
  };
  return {
    resend,
    after:
      continueAt === undefined
        ? ended({ ...after, continue_at: recovery.until }, 'done', nowMs)
        : { ...after, continue_at: continueAt },
  };
}

/** What each step may resend. @param recovering recoveries of the service that are running, this one among them */
export function shareOf(recovering: number): number {
  return Math.max(1, Math.floor(MAX_RESENT / recovering));
}

/** A recovery that its partner stopped, or whose subscription was deleted. */
export function stoppedRecovery(recovery: Recovery, nowMs: number): Recovery {
  return ended({ ...recovery, step: recovery.step + 1 }, 'stopped', nowMs);
}

type RecoveryTimer = Extract<Timer, { kind: 'recovery' }>;

/** The timer of its next step. */
export function recoveryTimer({
  service_id,
  subscription_id,
  recovery_id,
  step,
}: Pick<Recovery, 'service_id' | 'subscription_id' | 'recovery_id' | 'step'>): RecoveryTimer {
  return { v: 1, kind: 'recovery', service_id, subscription_id, recovery_id, step };
}

/** Whether a timer is that of the recovery's next step. */
export function isTimerOf(timer: RecoveryTimer, { state, recovery_id, step }: Recovery): boolean {
  return state === 'running' && timer.recovery_id === recovery_id && timer.step === step;
}

function ended(recovery: Recovery, state: 'done' | 'stopped', nowMs: number): Recovery {
  return { ...recovery, state, ended_at: instant(nowMs) };
}
