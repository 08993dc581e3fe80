import type { AnswerKind } from '../../../core/attempt/answers.ts';
import { answerOf, reasonToDisable } from '../../../core/attempt/answers.ts';
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
import { isGone, type Subscription, wantsStageKey } from '../../../core/subscription/subscription.ts';
import { type Batch, UnsendableError, UntakenError } from '../batch.ts';
import type { Head } from '../look-up.ts';
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
  const keys = activeAt(Object.values(kept?.secrets ?? {}), startedAtMs);
  if (keys.length === 0) {
    throw new UnsendableError(`subscription ${subscription.subscription_id} has no signing secret`);
  }
  const stageKey = wantsStageKey(subscription) ? stageKeyNow(startedAtMs, subscription, batch) : undefined;
  const number = ('attempt_count' in record ? record.attempt_count : 0) + 1;
  const post = ports.post({
    url: subscription.callback_url,
    live: subscription.live,
    headers: {
      ...kept?.custom_headers,
      // Ours come last: a partner's header never replaces one that is signed, or that the signature is read
      // by.
      ...headersOf(
        {
          messageId: record.message_id,
          timestampSeconds: Math.floor(startedAtMs / 1_000),
          body,
          keys,
          extraSignatures: subscription.extra_signatures ?? [],
          attempt: number,
        },
        subscription.callback_url,
        stageKey,
      ),
    },
    body,
    deadlineMs: subscription.timeout_ms,
  });
  const answered = await endpointCounts.watch({ subscription, startedAtMs }, post);
  const asksForProof = record.event_type === CHALLENGE;
  const result = asksForProof ? afterEcho(answered, record.resource ?? '') : answered;
  if (asksForProof && result.failure_class === undefined) {
    await tellProven(subscription, record.message_id, batch);
  }
  const nowMs = ports.now();
  const disables = reasonToDisable(result);
  const answer = answerOf(result);
  const attempted = { key: queuedMessage.ordering_key, isProbe };
  const isNews = queuedMessage.failed_attempts === 0 && !record.late;
  const failed = () => ({ kind: 'failed', isNews, retryAfterMs: retryAfterMs(result, nowMs) }) as const;
  const inputs = answer === undefined || asksForProof ? [] : [inputOf(answer, failed, attempted)];
  // An answer that leaves the message to its circuit changes the endpoint's health before the message is
  // written: if that write fails, the message is retried on its schedule, and does not join a backlog without
  // a circuit timer. If the worker dies in between, the record is redelivered and the attempt repeated.
  const changesHealthFirst =
    !(isPing || asksForProof) && (disables !== undefined || (answer === 'overloaded' && !isProbe));
  const health = changesHealthFirst
    ? await endpointHealths.tell(subscription, [
        ...inputs,
        ...(disables === undefined ? [] : [{ kind: 'disabled', reason: disables } as const]),
      ])
    : undefined;
  const isDisabled = disables !== undefined && health?.state === 'disabled';
  const isPaced = answer === 'overloaded' && health !== undefined && health.circuit.state !== 'closed';
  const decision = decide(
    result,
    {
      isDisabled,
      isProbe,
      isPaced,
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
      // A payment that fails again says nothing about others.
      ...(answer !== undefined && !asksForProof && (answer === 'succeeded' || isNews)
        ? { news: answer }
        : {}),
    },
  };
}

/**
 * Before the message is written: if the worker dies in between, its record is redelivered and finds the proof.
 *
 * @throws UntakenError when the proof could not be written: the endpoint is asked again
 */
async function tellProven(subscription: Subscription, challenge_id: string, batch: Batch): Promise<void> {
  const health = await batch.endpointHealths.tell(subscription, [{ kind: 'proven', challenge_id }]);
  if (health.challenge_id === challenge_id && health.state !== 'deleted') {
    throw new UntakenError(subscription.subscription_id);
  }
}

type Failed = Extract<EndpointHealthInput, { readonly kind: 'failed' }>;

function inputOf(
  answer: AnswerKind,
  failed: () => Pick<Failed, 'kind' | 'isNews' | 'retryAfterMs'>,
  attempted: Pick<Failed, 'key' | 'isProbe'>,
): EndpointHealthInput {
  return answer === 'succeeded' ? { kind: answer, ...attempted } : { ...failed(), answer, ...attempted };
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

type Reading = Pick<Batch, 'found' | 'ports'>;

/**
 * The secrets of a subscription for an attempt that starts now. A batch lasts up to a minute and starts with
 * secrets up to a minute old: what is too old is read again, or a revoked secret would sign for twice as long
 * as promised.
 *
 * @returns undefined when there are none
 * @throws UntakenError
 */
async function secretsNow(subscription: Subscription, batch: Reading): Promise<KeptSecrets | undefined> {
  const { subscription_id } = subscription;
  const known = batch.found.secrets.get(subscription_id);
  if (known?.goodUntilMs === undefined || batch.ports.now() < known.goodUntilMs) {
    return known;
  }
  const current = await reread(subscription, batch);
  // Deleted a moment ago, and its secrets with it: this attempt is under way, and is made.
  return isGone(current.subscriptions.get(subscription_id)) ? known : current.secrets.get(subscription_id);
}

/**
 * Whether a subscription without secrets has just been deleted. Both go in one transaction, but a batch reads
 * no snapshot: it may have found the subscription and missed the secrets. Costs nothing where there are
 * secrets.
 *
 * @throws UntakenError
 */
export async function isJustDeleted(subscription: Subscription, batch: Reading): Promise<boolean> {
  const { subscription_id } = subscription;
  if (batch.found.secrets.has(subscription_id)) {
    return false;
  }
  const current = await reread(subscription, batch);
  return isGone(current.subscriptions.get(subscription_id));
}

async function reread(subscription: Subscription, { ports }: Reading) {
  const current = await ports.lookUp({
    subscriptions: [subscription],
    keys: [],
    messageIds: [],
    resources: [],
  });
  if (current.untaken.has(subscription.subscription_id)) {
    throw new UntakenError(subscription.subscription_id);
  }
  return current;
}
