import { type AnswerKind, answerOf } from '../../../core/attempt/answers.ts';
import type { Attempt } from '../../../core/attempt/attempt.ts';
import { type Conclusion, concluded } from '../../../core/attempt/conclusion.ts';
import { decide } from '../../../core/attempt/decision.ts';
import { afterAttempt, attemptOf } from '../../../core/attempt/outcome.ts';
import { type Signable, signedHeaders } from '../../../core/attempt/signature.ts';
import { MalformedSecretError } from '../../../core/attempt/signature-schemes.ts';
import { activeAt } from '../../../core/attempt/signing-keys.ts';
import type { EndpointHealthInput } from '../../../core/circuit/endpoint-health.ts';
import { resourceKey, webhookBody } from '../../../core/message/message.ts';
import type { Subscription } from '../../../core/subscription/subscription.ts';
import { type Batch, FaultOfOneError } from '../batch.ts';
import type { Head } from '../ordering-key/head.ts';
import type { OrderingKeySession } from '../ordering-key/ordering-key-session.ts';
import type { Outcome } from '../ports.ts';
import { secretsNow } from './secrets-now.ts';

interface Circumstances {
  readonly subscription: Subscription;
  readonly isProbe: boolean;
  /** A test: not tried again, whatever it is answered, and it disables nothing. @default false */
  readonly isPing?: boolean;
  /** Whether it may still be made now: asked right before it is, since reading its secrets may have stalled. */
  readonly mayStart: () => boolean;
  readonly session: OrderingKeySession;
  readonly batch: Batch;
}

/** What a try has come to: to be written first, and then told to the subscription's circuit, unless it knows already. */
export interface TriedOnce {
  readonly conclusion: Conclusion;
  readonly outcome: Outcome;
  readonly tell: readonly EndpointHealthInput[];
  /** What it says of the endpoint; absent when that is no news. */
  readonly news?: AnswerKind;
}

/**
 * Signs a message, posts it once, and says what is to become of it.
 *
 * @returns undefined when it may not be started any more: nothing was sent
 * @throws FaultOfOneError when something of ours is missing that it takes
 */
export async function tryOnce(
  head: Head,
  { subscription, isProbe, isPing = false, mayStart, session, batch }: Circumstances,
): Promise<TriedOnce | undefined> {
  const { record, queuedMessage } = head;
  const { ports, policy, healths, underWay } = batch;
  const body = bodyOf(head);
  const kept = await secretsNow(subscription, batch);
  if (!mayStart()) {
    return undefined;
  }
  const startedAtMs = ports.now();
  const keys = activeAt(Object.values(kept?.secrets ?? {}), startedAtMs);
  if (keys.length === 0) {
    throw new FaultOfOneError(`subscription ${subscription.subscription_id} has no signing secret`);
  }
  const number = ('attempt_count' in record ? record.attempt_count : 0) + 1;
  const post = ports.post({
    url: subscription.callback_url,
    live: subscription.live,
    headers: {
      ...kept?.custom_headers,
      // Ours come last: what is signed, and what it is read by, is never anybody else's.
      ...headersOf({
        messageId: record.message_id,
        timestampSeconds: Math.floor(startedAtMs / 1_000),
        body,
        keys,
        extraSignatures: subscription.extra_signatures ?? [],
        attempt: number,
      }),
    },
    body,
    deadlineMs: subscription.timeout_ms,
  });
  const result = await underWay.watch({ subscription, startedAtMs }, post);
  const nowMs = ports.now();
  const { disables, ...decision } = decide(result, nowMs);
  const answer = answerOf(result);
  const attempted = { key: session.orderingKey, isProbe };
  const isNews = queuedMessage.failed_attempts === 0 && !record.late;
  const told: EndpointHealthInput =
    answer === 'succeeded'
      ? { kind: answer, ...attempted }
      : { kind: 'failed', answer, isNews, ...attempted };
  // Told first: should it be lost, the message has a time of its own, and does not wait in a line that nobody looks at.
  const isDisabled =
    !isPing &&
    disables !== undefined &&
    (await healths.tell(subscription, [told, { kind: 'disabled', reason: disables }])).state === 'disabled';
  const conclusion = concluded(
    {
      decision,
      isDisabled,
      isProbe,
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
  const next = afterAttempt(record, attempt, conclusion, nowMs);
  ports.observer.tried({ record: next, attempt, receiveCount: head.receiveCount });
  return {
    conclusion,
    outcome: { record: next, ...laterAttempt(attempt) },
    tell: isDisabled ? [] : [told],
    // A payment that is refused once more says nothing of the others.
    ...(answer === 'succeeded' || isNews ? { news: answer } : {}),
  };
}

/** A secret that cannot sign will not sign the next time either. */
function headersOf(signable: Signable): Record<string, string> {
  try {
    return signedHeaders(signable);
  } catch (error) {
    throw error instanceof MalformedSecretError ? new FaultOfOneError(error.message) : error;
  }
}

/** The first attempt lies in the message's own item. */
function laterAttempt(attempt: Attempt): Pick<Outcome, 'laterAttempt'> {
  return attempt.attempt === 1 ? {} : { laterAttempt: attempt };
}

function bodyOf({ record, resource }: Head): string {
  if (record.body !== undefined) {
    return record.body;
  }
  if (resource === undefined) {
    throw new FaultOfOneError(
      `the resource of event ${record.event_id} neither travelled nor is it in the history as ${resourceKey(record)}`,
    );
  }
  return webhookBody(record, resource);
}
