import { type AnswerKind, answerOf, reasonToDisable } from '../../../core/attempt/answers.ts';
import type { AttemptResult } from '../../../core/attempt/attempt.ts';
import { type HttpSigningKey, httpSignature } from '../../../core/attempt/http-signature.ts';
import { retryAfterMs } from '../../../core/attempt/retry-schedule.ts';
import {
  activeAt,
  MalformedSecretError,
  type Signable,
  signedHeaders,
} from '../../../core/attempt/signature.ts';
import type { KeptSecrets } from '../../../core/attempt/signing-keys.ts';
import { STAGE_KEYS, signingStageKey } from '../../../core/attempt/stage-keys.ts';
import { CHALLENGE } from '../../../core/catalogue/ping-names.ts';
import type { EndpointHealthInput } from '../../../core/circuit/endpoint-health.ts';
import { afterEcho } from '../../../core/message/challenge.ts';
import { type Decision, decide } from '../../../core/message/decision.ts';
import { resourceKey, webhookBody } from '../../../core/message/message.ts';
import { afterAttempt, attemptOf } from '../../../core/message/outcome.ts';
import type { Outcome } from '../../../core/message/ports.ts';
import { type Subscription, wantsStageKey } from '../../../core/subscription/subscription.ts';
import { type Batch, UnsendableError, UntakenError } from '../batch.ts';
import { type Head, secretsNow } from '../look-up.ts';
import type { DeliverPorts } from '../ports.ts';
import type { EndpointReport } from './endpoint-healths.ts';

interface Circumstances {
  readonly subscription: Subscription;
  readonly isProbe: boolean;
  /** A test: attempted once, whatever the answer, and it disables nothing. @default false */
  readonly isPing?: boolean;
  /**
   * Whether the attempt may still start: asked right before it does, since reading secrets may have stalled.
   */
  readonly mayStart: () => boolean;
  readonly batch: Batch;
}

/**
 * An attempt that was made: what is decided, what is to be written, and what its endpoint's health learns
 * after that.
 */
export interface AttemptMade {
  readonly decision: Decision;
  readonly outcome: Outcome;
  readonly report: EndpointReport;
}

/**
 * Signs a message, posts it once, and decides what is to become of it.
 *
 * @returns undefined when the attempt may not start any more: nothing was sent
 * @throws UnsendableError when something of ours is missing that the attempt needs
 */
export async function attemptOnce(
  head: Head,
  { subscription, isProbe, isPing = false, mayStart, batch }: Circumstances,
): Promise<AttemptMade | undefined> {
  const { record, queuedMessage } = head;
  const { ports, policy, endpointHealths, endpointCounts } = batch;
  const body = bodyOf(head);
  const kept = await secretsNow(subscription, batch);
  if (!mayStart()) {
    return undefined;
  }
  const startedAtMs = ports.now();
  const number = ('attempt_count' in record ? record.attempt_count : 0) + 1;
  const request = signedRequest(record.message_id, body, { subscription, kept, number, startedAtMs, batch });
  const answered = await endpointCounts.watch({ subscription, startedAtMs }, ports.post(request));
  const isChallenge = record.event_type === CHALLENGE;
  const result = isChallenge ? await proofIn(answered, head, subscription, batch) : answered;
  const nowMs = ports.now();
  // Of a test neither the circuit learns, nor does it disable anything.
  const isTest = isPing || isChallenge;
  const answer = isTest ? undefined : answerOf(result);
  const disables = isTest ? undefined : reasonToDisable(result);
  const isNews = queuedMessage.failed_attempts === 0 && !record.late;
  const attempted = { key: queuedMessage.ordering_key, isProbe };
  const inputs = answer === undefined ? [] : [inputOf(answer, { result, isNews, attempted, nowMs })];
  // An answer that leaves the message to its circuit changes the endpoint's health before the message is
  // written: if that write fails, the message is retried on its schedule, and does not join a backlog without
  // a circuit timer. If the worker dies in between, the record is redelivered and the attempt repeated.
  const changesHealthFirst = disables !== undefined || (answer === 'overloaded' && !isProbe);
  const health = changesHealthFirst
    ? await endpointHealths.tell(subscription, [
        ...inputs,
        ...(disables === undefined ? [] : [{ kind: 'disabled', reason: disables } as const]),
      ])
    : undefined;
  const decision = decide(
    result,
    {
      isDisabled: disables !== undefined && health?.state === 'disabled',
      isProbe,
      isPaced: answer === 'overloaded' && health !== undefined && health.circuit.state !== 'closed',
      attempt: number,
      failedAttempts: queuedMessage.failed_attempts,
      sinceMs: Date.parse(queuedMessage.since),
      schedule: isPing ? [] : policy.schedules[subscription.schedule ?? 'standard'],
      draw: ports.draw(),
      nowMs,
    },
    policy,
  );
  const attempt = attemptOf(number, startedAtMs, result, {
    ...(isProbe ? { probe: true } : {}),
    ...(record.late ? { late: true } : {}),
    ...(record.earlier_may_be_missing ? { earlier_may_be_missing: true } : {}),
  });
  const next = afterAttempt(record, attempt, decision, nowMs);
  ports.observer.tried({ record: next, attempt, receiveCount: head.receiveCount });
  return {
    decision,
    // The first attempt is part of the message's own item.
    outcome: { record: next, ...(attempt.attempt === 1 ? {} : { laterAttempt: attempt }) },
    report: {
      subscription,
      inputs: changesHealthFirst ? [] : inputs,
      // A payment that fails again says nothing about others, unless its endpoint asks for fewer requests.
      ...(answer !== undefined && (['succeeded', 'overloaded'].includes(answer) || isNews)
        ? { news: answer }
        : {}),
    },
  };
}

interface Signing {
  readonly subscription: Subscription;
  readonly kept: KeptSecrets | undefined;
  /** Of the attempt, from 1. */
  readonly number: number;
  readonly startedAtMs: number;
  readonly batch: Batch;
}

/**
 * The request of an attempt, signed with the secrets that are valid when it starts.
 *
 * @throws UnsendableError without a secret that can sign
 * @throws UntakenError when the stage's key could not be read
 */
function signedRequest(
  messageId: string,
  body: string,
  { subscription, kept, number, startedAtMs, batch }: Signing,
): Parameters<DeliverPorts['post']>[0] {
  const keys = activeAt(Object.values(kept?.secrets ?? {}), startedAtMs);
  if (keys.length === 0) {
    throw new UnsendableError(`subscription ${subscription.subscription_id} has no signing secret`);
  }
  const url = subscription.callback_url;
  const stageKey = wantsStageKey(subscription) ? stageKeyNow(startedAtMs, subscription, batch) : undefined;
  const signable = {
    messageId,
    timestampSeconds: Math.floor(startedAtMs / 1_000),
    body,
    keys,
    extraSignatures: subscription.extra_signatures ?? [],
    attempt: number,
  };
  return {
    url,
    live: subscription.live,
    // Ours come last: a partner's header never replaces one that is signed, or that the signature is read by.
    headers: { ...kept?.custom_headers, ...headersOf(signable, url, stageKey) },
    body,
    deadlineMs: subscription.timeout_ms,
  };
}

/**
 * What the answer to a challenge came to. A proof is told before the message is written: if the worker dies
 * in between, its record is redelivered and finds the proof.
 *
 * @throws UntakenError when the proof could not be written: the endpoint is asked again
 */
async function proofIn(
  answered: AttemptResult,
  { record }: Head,
  subscription: Subscription,
  { endpointHealths }: Batch,
): Promise<AttemptResult> {
  const { message_id: challenge_id, resource = '' } = record;
  const result = afterEcho(answered, resource);
  if (result.failure_class === undefined) {
    const health = await endpointHealths.tell(subscription, [{ kind: 'proven', challenge_id }]);
    if (health.challenge_id === challenge_id && health.state !== 'deleted') {
      throw new UntakenError(subscription.subscription_id);
    }
  }
  return result;
}

interface Answered {
  readonly result: AttemptResult;
  readonly isNews: boolean;
  readonly attempted: Pick<EndpointHealthInput & { readonly kind: 'failed' }, 'key' | 'isProbe'>;
  readonly nowMs: number;
}

function inputOf(answer: AnswerKind, { result, isNews, attempted, nowMs }: Answered): EndpointHealthInput {
  return answer === 'succeeded'
    ? { kind: answer, ...attempted }
    : { kind: 'failed', answer, isNews, retryAfterMs: retryAfterMs(result, nowMs), ...attempted };
}

/** A secret that cannot sign now will not sign the next time either. */
function headersOf(signable: Signable, url: string, key?: HttpSigningKey): Record<string, string> {
  try {
    const headers = signedHeaders(signable);
    const { body, timestampSeconds: createdSeconds } = signable;
    return key === undefined
      ? headers
      : { ...headers, ...httpSignature({ url, headers, body, createdSeconds, key }) };
  } catch (error) {
    throw error instanceof MalformedSecretError ? new UnsendableError(error.message) : error;
  }
}

function stageKeyNow(nowMs: number, { subscription_id }: Subscription, { found }: Batch): HttpSigningKey {
  if (found.untaken.has(STAGE_KEYS)) {
    throw new UntakenError(subscription_id);
  }
  const key = signingStageKey(found.secrets.get(STAGE_KEYS), nowMs);
  if (key === undefined) {
    throw new UnsendableError(
      `${subscription_id} wants the signature rfc9421 and the stage has no key: npm run ops -- stage-keys rotate`,
    );
  }
  return key;
}

/** What is on record of the message itself comes first: of a large resource it may have some fields only. */
function bodyOf({ record, ...head }: Head): string {
  const resource = record.resource ?? head.resource;
  if (resource === undefined) {
    throw new UnsendableError(
      `the resource of event ${record.event_id} is not on record as ${resourceKey(record)}`,
    );
  }
  return webhookBody(record, resource);
}
