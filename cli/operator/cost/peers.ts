import type { Prices } from '../../../lib/prices.ts';
import { eventsPerMonth, messagesPerMonth, type Traffic } from './usage.ts';

/** What other services charge for the same webhooks. */
export interface Peer {
  readonly name: string;
  readonly perMonth: number;
  readonly source: string;
}

/**
 * Source: https://www.svix.com/pricing/, read 2026-09-20. A message is paid once, however many endpoints get
 * it.
 */
const SVIX = { plan: 490, included: 50_000, message: 0.0001 };

/** Those whose price is public and by volume. Hookdeck's is metered, and its page was not to be had. */
export function peersOf(traffic: Traffic, prices: Prices): Peer[] {
  const events = eventsPerMonth(traffic);
  return [
    {
      name: 'EventBridge API destinations',
      perMonth: events * prices.customEvent + messagesPerMonth(traffic) * prices.apiDestinationCall,
      source:
        'https://aws.amazon.com/eventbridge/pricing/: no order, no signature, no history, no API for partners',
    },
    {
      name: 'Svix Professional',
      perMonth: SVIX.plan + Math.max(0, events - SVIX.included) * SVIX.message,
      source: 'https://www.svix.com/pricing/, 2026-09-20: no order; large volumes by agreement',
    },
  ];
}
