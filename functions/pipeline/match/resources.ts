import { RefusedError } from '../../core/errors/refused-error.ts';
import { isNumbered } from '../../core/event/event.ts';
import { type Route, wants } from '../../core/subscription/subscription.ts';
import type { Usable } from './going.ts';
import type { DeadEvent, Intake, MatchPorts } from './ports.ts';

/** A larger resource is stored once instead of being in each message. In bytes of UTF-8. */
const TRAVELLING_RESOURCE_BYTES = 16 * 1024;

/**
 * Stores large resources. An event whose resource could not be stored does not go on, nor do those behind it
 * in its payment.
 */
export async function keepResources(
  usable: readonly Usable[],
  routesOf: (serviceId: string) => readonly Route[],
  ports: Pick<MatchPorts, 'keepResource' | 'internalError'>,
): Promise<{ kept: Usable[]; unkept: Intake[]; refused: DeadEvent[] }> {
  // A numbered event may have to wait, and who wants it then is not known yet.
  const isWanted = ({ event }: Usable) =>
    isNumbered(event) || routesOf(event.service_id).some((route) => wants(route, event));
  const outcomes = new Map<Usable, { readonly key: string } | { readonly error: unknown }>();
  await Promise.all(
    usable.map(async (one) => {
      const { event, resource, intake } = one;
      if (resource !== undefined && !travels(resource) && isWanted(one)) {
        try {
          outcomes.set(one, { key: await ports.keepResource(event, resource, intake.admittedAtMs) });
        } catch (error) {
          outcomes.set(one, { error });
        }
      }
    }),
  );
  const kept: Usable[] = [];
  const unkept: Intake[] = [];
  const refused: DeadEvent[] = [];
  const stoppedPayments = new Set<string>();
  for (const one of usable) {
    const { intake, event } = one;
    const payment = `${event.service_id} ${event.payment_id}`;
    const outcome = outcomes.get(one);
    if (stoppedPayments.has(payment)) {
      unkept.push(intake);
    } else if (outcome === undefined) {
      kept.push(one);
    } else if ('key' in outcome) {
      kept.push({ intake, event, resource_key: outcome.key });
    } else if (outcome.error instanceof RefusedError) {
      refused.push({ intake, reason: 'unstorable', explanation: outcome.error.message });
    } else {
      ports.internalError(outcome.error, 1);
      stoppedPayments.add(payment);
      unkept.push(intake);
    }
  }
  return { kept, unkept, refused };
}

function travels(resource: string): boolean {
  return Buffer.byteLength(resource) <= TRAVELLING_RESOURCE_BYTES;
}
