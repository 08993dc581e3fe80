import { paymentEvent } from '../../support/builders.ts';
import type { FifoQueue } from '../aws/queues/fifo-queue.ts';
import { publicTypeOf, sentAs } from '../plans/catalogue-plan.ts';
import { LARGE_RESOURCE, type PublicationPlan, plainEvent } from '../plans/publication-plan.ts';
import { type ServicesPlan, serviceNamed } from '../plans/services-plan.ts';
import type { WorldPlan } from '../plans/world-plan.ts';
import type { Surroundings } from '../workers/invocation.ts';
import type { Input } from './inputs.ts';

/** Payments share shards, as with 16 rules for all payments. */
const SHARDS = 2;

/** An event that `events.fifo` took for the first time. */
export interface Admitted {
  readonly eventId: string;
  readonly serviceId: string;
  readonly paymentId: string;
  /** The name of its type; undefined: it cannot be used. */
  readonly publicType: string | undefined;
  /** Its resource does not fit the schema of its type. */
  readonly misfits: boolean;
  readonly sequence: number | undefined;
  readonly atMs: number;
  /** When the last of its repeats comes. */
  readonly lastAtMs: number;
  readonly expiresAtMs: number | undefined;
  readonly input: Input;
  /** Its message group on `events.fifo`. */
  readonly door: string;
}

/** The message group on `events.fifo` that a payment's events share with others. */
export function shardOf(paymentId: string): string {
  return `shard-${Number(paymentId.slice('pay-'.length)) % SHARDS}`;
}

/** Publications with their instants. */
export function timesOf<P extends Pick<PublicationPlan, 'pauseMs'>>(
  publications: readonly P[],
  startedAtMs: number,
): { readonly publication: P; readonly atMs: number }[] {
  let atMs = startedAtMs;
  return publications.map((publication) => {
    atMs += publication.pauseMs;
    return { publication, atMs };
  });
}

/** When the last of its events comes. */
export function lastOf({
  publication: { delayMs, repeats },
  atMs,
}: {
  readonly publication: Pick<PublicationPlan, 'delayMs' | 'repeats'>;
  readonly atMs: number;
}): number {
  return atMs + Math.max(delayMs, ...repeats.map(({ afterMs }) => afterMs));
}

/** Between them, what any subscription may want. */
const LAST_TYPES = ['CAPTURE_CONFIRMED', 'REFUND_SUCCEEDED'];

/** Last events of each service, when all is well: they find endpoints that are no longer probed. */
export function farewell(
  atMs: number,
  services: ServicesPlan | undefined,
): { readonly publication: PublicationPlan; readonly atMs: number }[] {
  return Array.from({ length: services?.count ?? 1 }, (_, service) =>
    [0, 1].flatMap((payment) =>
      LAST_TYPES.map((eventType) => ({ publication: { ...plainEvent(payment), service, eventType }, atMs })),
    ),
  ).flat();
}

/**
 * Sends events and their repeats to `events.fifo` as planned.
 *
 * @returns those that were taken, in the order of intake; it grows with time
 */
export function publish(
  publications: readonly { readonly publication: PublicationPlan; readonly atMs: number }[],
  events: FifoQueue,
  { clock, tell }: Pick<Surroundings, 'clock' | 'tell'>,
  startedAtMs: number,
  { catalogue, validation }: Pick<WorldPlan, 'catalogue' | 'validation'>,
): readonly Admitted[] {
  const admitted: Admitted[] = [];
  const seen = new Set<string>();
  for (const [index, { publication, atMs }] of publications.entries()) {
    const { payment, service = 0, eventType, sequence, expiresAfterMs } = publication;
    const eventId = `evt-${index}`;
    const expiresAtMs = expiresAfterMs === undefined ? undefined : atMs + expiresAfterMs;
    const paymentId = `pay-${payment}`;
    const input = { paymentId, eventType, isLarge: publication.large, publishedMs: atMs - startedAtMs };
    const door = publication.direct ? paymentId : shardOf(paymentId);
    const sent = sentAs(eventType, catalogue);
    const isRefused = publication.misfits === true && validation?.mode === 'refuse';
    const detail = detailOf(eventId, { ...publication, eventType: sent }, input, { atMs, expiresAtMs });
    const admit = (body: string) => {
      const taken = events.send({ body, group: door });
      tell(() => `events.fifo ${taken === undefined ? 'swallows' : 'takes'} ${eventId} of ${paymentId}`);
      if (taken !== undefined && !seen.has(eventId)) {
        seen.add(eventId);
        admitted.push({
          eventId,
          serviceId: serviceNamed(service),
          paymentId,
          publicType: isRefused ? undefined : publicTypeOf(sent, catalogue),
          misfits: publication.misfits === true,
          sequence,
          atMs: taken.sentAtMs,
          lastAtMs: lastOf({ publication, atMs }),
          expiresAtMs,
          input,
          door,
        });
      }
    };
    clock.at(atMs + publication.delayMs, () => admit(JSON.stringify(detail)));
    for (const { afterMs, verbatim } of publication.repeats) {
      const again = verbatim ? detail : { ...detail, published_again: true };
      clock.at(atMs + afterMs, () => admit(JSON.stringify(again)));
    }
  }
  return admitted;
}

function detailOf(
  eventId: string,
  publication: PublicationPlan,
  input: Input,
  { atMs, expiresAtMs }: { readonly atMs: number; readonly expiresAtMs: number | undefined },
): Record<string, unknown> {
  const { paymentId } = input;
  return paymentEvent({
    event_id: eventId,
    service_id: serviceNamed(publication.service ?? 0),
    payment_id: paymentId,
    resource_id: paymentId,
    event_type: publication.eventType,
    ...(publication.sequence === undefined ? {} : { sequence: publication.sequence }),
    occurred_at: new Date(atMs).toISOString(),
    ...(expiresAtMs === undefined ? {} : { expires_at: new Date(expiresAtMs).toISOString() }),
    resource: {
      event_id: eventId,
      payment_id: paymentId,
      input,
      // More than DynamoDB's client takes: whatever is stored of a resource has to be text.
      reference: 2 ** 64,
      ...(publication.misfits ? { amount: 'ten' } : {}),
      ...(publication.large ? { pad: LARGE_RESOURCE } : {}),
    },
  });
}
