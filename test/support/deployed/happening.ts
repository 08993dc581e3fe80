import { paymentEvent } from '../builders.ts';
import type { Service } from './deployed-stack.ts';

let count = 0;

/** An event of a service that happens now, with new ids. A test names only the fields it is about. */
export function happening(
  { serviceId }: Pick<Service, 'serviceId'>,
  over: Record<string, unknown> = {},
): Record<string, unknown> {
  count += 1;
  const unique = `${serviceId.slice(4, 12)}-${count}`;
  const payment_id = (over.payment_id as string | undefined) ?? `pay-${unique}`;
  return paymentEvent({
    event_id: `evt-${unique}`,
    service_id: serviceId,
    resource_id: payment_id,
    occurred_at: new Date().toISOString(),
    ...over,
    payment_id,
  });
}

/**
 * The steps of several payments, all first steps first: in order per payment, and interleaved as in
 * production.
 */
export function steps(
  service: Pick<Service, 'serviceId'>,
  payments: readonly string[],
  count: number,
): Record<string, unknown>[] {
  return Array.from({ length: count }, (_, index) =>
    payments.map((payment_id) => happening(service, { payment_id, resource: { step: index + 1 } })),
  ).flat();
}
