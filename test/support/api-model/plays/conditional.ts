import { changed, type Sent } from '../play.ts';
import type { Answered, KnownSubscription, Outcome } from '../world.ts';

const ENTITY_TAGS = /^\s*(?:\*|(?:W\/)?"[^"]*"(?:\s*,\s*(?:W\/)?"[^"]*")*)\s*$/;

/** What keeps a request from changing its subscription; undefined: nothing. */
export function obstacle({ request, subscription }: Sent): Outcome | undefined {
  const wanted = request.headers['if-match'];
  if (wanted !== undefined && !ENTITY_TAGS.test(wanted)) {
    return 'malformed-request';
  }
  if (subscription === undefined) {
    return 'not-found';
  }
  const isStale =
    wanted !== undefined && wanted !== '*' && wanted.replace('W/', '') !== subscription.etags.at(-1);
  return isStale ? 'precondition-failed' : undefined;
}

/** A tag is new exactly when something has changed, which the trail then shows. */
export function learnEtag(sent: Sent, answer: Answered, operationId: string, hasChanged: boolean): void {
  const { etags } = sent.subscription as KnownSubscription;
  const etag = answer.headers.etag ?? '';
  if (hasChanged) {
    expect(etags).not.toContain(etag);
    etags.push(etag);
    changed(sent, operationId);
  } else {
    expect(etag).toBe(etags.at(-1));
  }
}

/** The part of its view that the model knows. */
export function viewOf({ id, settings, state, secrets }: KnownSubscription): Record<string, unknown> {
  return {
    subscription_id: id,
    ...settings,
    state,
    signing_secrets: secrets.map((secret) => expect.objectContaining({ secret_id: secret.id })),
  };
}

/** The view without what the model does not know. */
export function seen(body: Record<string, unknown>): Record<string, unknown> {
  const { circuit: _, created_at: __, disabled_at: ___, disabled_reason: ____, ...rest } = body;
  return rest;
}

export function ifFound(sent: Sent, outcome: Outcome): readonly Outcome[] {
  return [sent.subscription === undefined ? 'not-found' : outcome];
}
