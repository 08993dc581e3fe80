import type { z } from 'zod';
import type { EventType } from '../../functions/core/catalogue/event-type.ts';
import type { paymentEventSchema } from '../../functions/core/event/event.ts';
import type { DeployedType } from '../stage/deployed-types.ts';
import { ExplainedError } from '../terminal/explanation.ts';

/** The `Detail` of an event as a publisher writes it. */
export type SampleEvent = z.input<typeof paymentEventSchema>;

/** A type of which events can be made up. */
export type SampleType = Pick<EventType, 'name' | 'resource_type' | 'sample'>;

export interface SamplePayment {
  readonly serviceId: string;
  /** Becomes `payment_id` and `resource_id`: up to 60 of `[A-Za-z0-9_-]`. */
  readonly paymentId: string;
  /** 1 to 20. */
  readonly eventCount: number;
  /** Of its events, in this order; after the last, from the first again. At least one. */
  readonly types: readonly SampleType[];
  /** When it was started; its later events happen a millisecond apart, so that none lies in the future. */
  readonly startedAt: Date;
  /** @default false */
  readonly live?: boolean;
}

/** Not where the resource has a schema and no sample. */
const canBeMadeUp = ({ hasSchema, sample }: DeployedType) => sample !== undefined || !hasSchema;

/**
 * The types of a stage whose events can be made up, deprecated ones only where there are no others.
 *
 * @param wanted names of those that are wanted. @default - all
 * @throws ExplainedError when there is none, or one that is wanted is missing
 */
export function sampleTypes(
  types: readonly DeployedType[],
  wanted?: readonly string[],
): readonly SampleType[] {
  const known = types.filter(canBeMadeUp);
  const current = known.filter(({ deprecated }) => deprecated === undefined);
  if (known.length === 0) {
    throw new ExplainedError(
      `No event can be made up: every type of the stage has a schema and no sample. Give one a sample, and deploy it.`,
    );
  }
  return (
    wanted?.map((name) => known.find((type) => type.name === name) ?? refuse(name, types)) ??
    (current.length > 0 ? current : known)
  );
}

function refuse(name: string, types: readonly DeployedType[]): never {
  throw new ExplainedError(
    types.some((type) => type.name === name)
      ? `--event-type: ${name} has a schema and no sample, so no event can be made up. Give it a sample, and deploy it.`
      : `--event-type: the stage has no ${name}, but: ${types.map((type) => type.name).join(', ')}`,
  );
}

/**
 * The events of one payment in the order in which they happen: each has the sample of its type. The same
 * payment comes out the same, event ids included.
 *
 * @throws RangeError when it cannot have that number of events
 */
export function samplePayment(payment: SamplePayment): SampleEvent[] {
  const { eventCount } = payment;
  if (!Number.isInteger(eventCount) || eventCount < 1 || eventCount > 20) {
    throw new RangeError(`a sample payment has 1 to 20 events, not ${eventCount}`);
  }
  return Array.from({ length: eventCount }, (_, index) => sampleEvent(payment, index));
}

function sampleEvent(payment: SamplePayment, index: number): SampleEvent {
  const { serviceId, paymentId, types, startedAt, live = false } = payment;
  const { name, resource_type = 'payment', sample } = types[index % types.length] as SampleType;
  return {
    event_id: `${paymentId}_${index + 1}`,
    service_id: serviceId,
    gateway_account_id: '1042',
    live,
    payment_id: paymentId,
    resource_type,
    resource_id: paymentId,
    event_type: name,
    occurred_at: new Date(startedAt.getTime() + index).toISOString(),
    sequence: index + 1,
    resource: sample ?? { id: paymentId },
  };
}
