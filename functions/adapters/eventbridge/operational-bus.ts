import { type EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import type { OperationalEvent } from '../../core/operational-events/operational-event.ts';
import { chunks } from '../dynamodb/chunks.ts';

/** No rule for payment events matches this source, so an operational event never becomes a webhook. */
export const OPERATIONAL_SOURCE = 'payhooks';

/**
 * Source: PutEvents, Amazon EventBridge API Reference. Our events are under one kilobyte of the 256 allowed.
 */
const MAX_ENTRIES = 10;

/** Total time limit: a function that has done its work must not time out for a bus that hangs. */
const PUTTING_TIME_MS = 2_000;

export interface Lost {
  readonly event: OperationalEvent;
  readonly reason: string;
}

/** Puts each event on the bus once; returns those that it did not accept. Never rejects. */
export type OperationalBus = (events: readonly OperationalEvent[]) => Promise<readonly Lost[]>;

export function operationalBus(client: EventBridgeClient, busName: string): OperationalBus {
  return async (events) => {
    const abortSignal = AbortSignal.timeout(PUTTING_TIME_MS);
    const lost = await Promise.all(
      chunks(events, MAX_ENTRIES).map(async (some): Promise<Lost[]> => {
        try {
          const command = new PutEventsCommand({ Entries: some.map((event) => entryOf(event, busName)) });
          const { Entries = [] } = await client.send(command, { abortSignal });
          // Answers are in the order of the entries; only an accepted one has an EventId.
          return some.flatMap((event, index) => {
            const { EventId, ErrorCode = 'not accepted' } = Entries[index] ?? {};
            return EventId === undefined ? [{ event, reason: ErrorCode }] : [];
          });
        } catch (error) {
          return some.map((event) => ({ event, reason: String(error) }));
        }
      }),
    );
    return lost.flat();
  };
}

function entryOf(event: OperationalEvent, EventBusName: string) {
  return {
    EventBusName,
    Source: OPERATIONAL_SOURCE,
    DetailType: event.type,
    Time: new Date(event.at),
    Detail: JSON.stringify(event),
  };
}
