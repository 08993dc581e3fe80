import { offSchema } from '../../core/catalogue/schema-check.ts';
import { isUsable, type PaymentEvent, readPaymentEvent } from '../../core/event/event.ts';
import { type JsonText, readJson, UnclearJsonError, wellFormedJson } from '../../core/event/json-text.ts';
import { LARGEST_RESOURCE_BYTES } from '../../core/message/message.ts';
import { type GapSignal, gapSignalSchema } from '../../core/signal/gap-signal.ts';
import { type StuckSignal, stuckSignalSchema } from '../../core/signal/stuck-signal.ts';
import type { DeadEvent, Intake, MatchPorts } from './ports.ts';

/**
 * A record may have 1 MiB, and has to fit into a dead letter together with the reason. In bytes of UTF-8.
 * Source: "Amazon SQS message quotas", Amazon SQS Developer Guide.
 */
export const LARGEST_DETAIL_BYTES = 512 * 1024;

/**
 * The event of a record, with its resource as the publisher wrote it; or a signal to see what may be
 * admitted, or of an operator; or why it cannot be used.
 */
export function readIntake(
  { body }: Intake,
  { catalogue, schemas }: Pick<MatchPorts, 'catalogue' | 'schemas'>,
):
  | { event: PaymentEvent; resource: string }
  | { signal: GapSignal }
  | { ofOperator: StuckSignal }
  | Pick<DeadEvent, 'reason' | 'explanation'> {
  const detailBytes = Buffer.byteLength(body);
  if (detailBytes > LARGEST_DETAIL_BYTES) {
    return tooLarge('detail', detailBytes, LARGEST_DETAIL_BYTES);
  }
  const json = parse(body);
  if (json instanceof UnclearJsonError) {
    return { reason: 'malformed', explanation: `detail: ${json.message}` };
  }
  const signal = gapSignalSchema.safeParse(json?.value);
  if (signal.success) {
    return { signal: signal.data };
  }
  const ofOperator = stuckSignalSchema.safeParse(json?.value);
  if (ofOperator.success) {
    return { ofOperator: ofOperator.data };
  }
  const event = readPaymentEvent(json?.value, catalogue);
  if (!isUsable(event)) {
    return { reason: event.kind, explanation: event.explanation };
  }
  const resource = wellFormedJson(json?.textOf('resource') ?? '');
  const bytes = Buffer.byteLength(resource);
  if (bytes > LARGEST_RESOURCE_BYTES) {
    return tooLarge('resource', bytes, LARGEST_RESOURCE_BYTES);
  }
  const schema_error = schemas && offSchema(event.resource, schemas.of(event.public_type));
  if (schema_error === undefined) {
    return { event, resource };
  }
  return schemas?.refuses
    ? {
        reason: 'malformed',
        explanation: `resource: does not fit the schema of ${event.public_type}: ${schema_error}`,
      }
    : { event: { ...event, schema_error }, resource };
}

function tooLarge(what: string, bytes: number, max: number) {
  return { reason: 'too_large', explanation: `${what}: ${bytes} bytes, at most ${max} are taken` } as const;
}

function parse(body: string): JsonText | UnclearJsonError | undefined {
  try {
    return readJson(body);
  } catch (error) {
    return error instanceof UnclearJsonError ? error : undefined;
  }
}
