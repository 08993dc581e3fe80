import { text } from 'node:stream/consumers';
import { loopback } from './dead-address.ts';

/** A webhook's body, as its endpoint read it. */
interface WebhookBody {
  readonly webhook_message_id: string;
  readonly payment_id?: string;
  readonly sequence?: number;
  readonly position?: number;
  readonly previous_message_id?: string | null;
  readonly gap_before?: true;
  readonly late?: true;
  readonly resource: Readonly<Record<string, unknown>>;
}

/**
 * An endpoint on loopback that acknowledges everything, and keeps the bodies in the order in which they came.
 */
export interface BodyEndpoint {
  readonly url: string;
  readonly bodies: readonly WebhookBody[];
  /** Of one payment of numbered events. */
  of(paymentId: string): WebhookBody[];
  stop(): Promise<void>;
}

export async function bodyEndpoint(): Promise<BodyEndpoint> {
  const bodies: WebhookBody[] = [];
  const { url, stop } = await loopback(async (request, response) => {
    bodies.push(JSON.parse(await text(request)));
    response.end();
  });
  return {
    url: `${url}/`,
    bodies,
    of: (paymentId) => bodies.filter(({ payment_id }) => payment_id === paymentId),
    stop,
  };
}
