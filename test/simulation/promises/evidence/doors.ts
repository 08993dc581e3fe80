import type { Admitted } from '../../people/publications.ts';

/** In which groups of `events.fifo` the events of a payment came: numbered ones are forwarded to the first's. */
export function doorsOf(admitted: readonly Admitted[]) {
  const events = Map.groupBy(admitted, keyOf);
  return (payment: Pick<Admitted, 'serviceId' | 'paymentId'>): string[] => [
    ...new Set(events.get(keyOf(payment))?.map(({ door }) => door)),
  ];
}

function keyOf({ serviceId, paymentId }: Pick<Admitted, 'serviceId' | 'paymentId'>): string {
  return `${serviceId}#${paymentId}`;
}
