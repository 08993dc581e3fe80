import type { AttemptResult } from './attempt.ts';

/** Why a subscription gets nothing any more until its owner enables it: `failing` for days, or its receiver said so. */
export const DISABLED_REASONS = ['gone', 'asked_by_receiver', 'failing'] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

/** What an answer means for the message, and for its subscription. Source: Standard Webhooks 1.0.0, "Response status codes". */
export type Decision = (
  | { readonly kind: 'delivered' }
  | { readonly kind: 'failed'; readonly retryAfterMs?: number }
  /** The receiver will never take this message. */
  | { readonly kind: 'aborted' }
) & { readonly disables?: DisabledReason };

/** Statuses that may say when to come again. */
const MAY_SAY_WHEN = new Set([429, 502, 503, 504]);
const GONE = 410;

/** @param heardAtMs when the answer came, in ms since 1970: `Retry-After` may be a date */
export function decide(result: AttemptResult, heardAtMs: number): Decision {
  const asked = result.response_headers?.['webhook-delivery']?.trim().toLowerCase();
  const disables = reasonToDisable(result.status_code, asked);
  const consequence = disables === undefined ? {} : { disables };
  if (result.failure_class === undefined) {
    return { kind: 'delivered', ...consequence };
  }
  if (asked === 'abort-message') {
    return { kind: 'aborted', ...consequence };
  }
  const retryAfterMs = MAY_SAY_WHEN.has(result.status_code ?? 0)
    ? retryAfter(result.response_headers?.['retry-after'], heardAtMs)
    : undefined;
  return { kind: 'failed', ...(retryAfterMs === undefined ? {} : { retryAfterMs }), ...consequence };
}

function reasonToDisable(status: number | undefined, asked: string | undefined): DisabledReason | undefined {
  if (status === GONE) {
    return 'gone';
  }
  return asked === 'disable' ? 'asked_by_receiver' : undefined;
}

/** Seconds, or a date. Source: RFC 9110, section 10.2.3. What is neither is as if it were not there. */
function retryAfter(value: string | undefined, heardAtMs: number): number | undefined {
  if (value === undefined) {
    return undefined;
  }
  if (/^\s*\d{1,9}\s*$/.test(value)) {
    return Number(value) * 1_000;
  }
  const untilMs = /GMT\s*$/.test(value) ? Date.parse(value) - heardAtMs : Number.NaN;
  return untilMs >= 0 ? untilMs : undefined;
}
