import { type EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { SYNTHETIC, type SyntheticEvent } from '../../core/event/synthetic-event.ts';

/** The source that the rules for payment events match. */
export const PAYMENTS_SOURCE = 'payments';

/**
 * Puts one event of the doctor on the bus.
 *
 * @throws with the reason when the bus does not accept it
 */
export function syntheticBus(client: EventBridgeClient, busName: string) {
  return async (event: SyntheticEvent): Promise<void> => {
    const entry = {
      EventBusName: busName,
      Source: PAYMENTS_SOURCE,
      DetailType: SYNTHETIC,
      Detail: JSON.stringify(event),
    };
    const { Entries } = await client.send(new PutEventsCommand({ Entries: [entry] }));
    const { EventId, ErrorCode = 'not accepted', ErrorMessage = '' } = Entries?.[0] ?? {};
    if (EventId === undefined) {
      throw new Error(`the bus did not accept the event: ${ErrorCode} ${ErrorMessage}`.trimEnd());
    }
  };
}
