import { createHash } from 'node:crypto';
import type { Logger } from '@aws-lambda-powertools/logger';
import { MetricUnit } from '@aws-lambda-powertools/metrics';
import { type Answer, refusal, refusalOf } from '../core/api/answer.ts';
import { instant } from '../core/text/instant.ts';
import { METRIC } from '../telemetry/metric-names.ts';
import { metrics } from '../telemetry/metrics.ts';
import type { SharedPorts } from './api-request.ts';
import type { Caller } from './caller.ts';
import { isRepeatable, type Operation } from './operation.ts';
import { readRequest } from './read-request.ts';
import type { Sent } from './sent.ts';

/**
 * Source of the header: "The Idempotency-Key HTTP Header Field", draft-ietf-httpapi-idempotency-key-header.
 */
const KEY_FORM = /^[\x21-\x7e]{1,255}$/;

/** Parses a request, runs it (once per idempotency key) and records its change in the audit trail. */
export async function perform(
  operation: Operation,
  sent: Sent,
  caller: Caller,
  ports: SharedPorts,
  logger: Logger,
): Promise<Answer> {
  const read = readRequest(operation, sent);
  if ('refused' in read) {
    return read.refused;
  }
  const refused = operation.refusalOf?.(read.body, ports);
  if (refused !== undefined) {
    return refused;
  }
  const { params, ifMatch, idempotencyKey: key, endpointHealthChanged } = sent;
  const act = async () => {
    const answer = await operation.run(
      {
        serviceId: caller.service_id,
        caller,
        params,
        ...read,
        ...(ifMatch === undefined ? {} : { ifMatch }),
      },
      { ...ports, endpointHealthChanged },
    );
    await record(answer, operation, sent, caller, ports, logger);
    return answer;
  };
  return !isRepeatable(operation) || key === undefined
    ? act()
    : carriedOutOnce(key, sent, caller, act, ports);
}

async function carriedOutOnce(
  key: string,
  { method, path, query, body, ifMatch, remainingMs }: Sent,
  { service_id }: Caller,
  act: () => Promise<Answer>,
  ports: SharedPorts,
): Promise<Answer> {
  if (!KEY_FORM.test(key)) {
    const reason = 'must be 1 to 255 visible ASCII characters';
    return refusalOf(
      [{ field: 'idempotency-key', reason }],
      'malformed-request',
      `Idempotency-Key ${reason}.`,
    );
  }
  // A body may contain a password. Hashed together with the key, which is stored only as a hash, it cannot be
  // guessed.
  const fingerprint = createHash('sha256')
    .update(JSON.stringify([key, method, path, query.toString(), body, ifMatch]))
    .digest('hex');
  const outcome = await ports.idempotency.once({ serviceId: service_id, key, fingerprint }, act, remainingMs);
  switch (outcome.kind) {
    case 'in_progress':
      return refusal(
        'request-in-progress',
        'An earlier request with this Idempotency-Key is still running.',
        {
          'retry-after': '1',
        },
      );
    case 'other_request':
      return refusal(
        'idempotency-key-reused',
        'This Idempotency-Key was used with a different request: use a new key for each request.',
      );
    case 'done':
      return outcome.isRepeat
        ? { ...outcome.answer, headers: { ...outcome.answer.headers, 'idempotent-replayed': 'true' } }
        : outcome.answer;
  }
}

/** The change is already made. If it cannot be stored in the audit trail, the log entry is its record. */
async function record(
  { change, by }: Answer,
  { id }: Operation,
  { requestId }: Sent,
  caller: Caller,
  { audit, now }: SharedPorts,
  logger: Logger,
): Promise<void> {
  if (change === undefined) {
    return;
  }
  const { service_id, token_id } = by ?? caller;
  const entry = { service_id, at: instant(now()), request_id: requestId, token_id, operation: id, ...change };
  try {
    await audit.keep(entry);
  } catch (error) {
    logger.error('audit.lost', { error: error as Error, entry });
    metrics.addMetric(METRIC.auditLost, MetricUnit.Count, 1);
  }
}
