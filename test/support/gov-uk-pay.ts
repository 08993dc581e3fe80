import { EventCatalogue } from '../../lib/events/event-catalogue.ts';

/** The event types of our own stages. */
export const { catalogue: GOV_UK_PAY } = EventCatalogue.govUkPay();
