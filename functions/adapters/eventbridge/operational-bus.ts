import { type EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import type { OperationalEvent } from '../../core/event/operational-event.ts';
import { chunks } from '../dynamodb/chunks.ts';

/** No rule for payment events takes it: what is told here never comes back as a webhook. */
export const OPERATIONAL_SOURCE = 'payhooks';

/** Source: PutEvents, Amazon EventBridge API Reference. An event of ours has less than one of its 256 kilobytes. */
const MAX_ENTRIES = 10;

/** All of it is given up after this: a function that has done its work must not run out of time for a bus that hangs. */
const PUTTING_TIME_MS = 2_000;

export interface Lost {
  readonly event: OperationalEvent;
  readonly reason: string;
}

/** Puts events on the bus, each once; answers those that it did not take. Never rejects. */
export type OperationalBus = (events: readonly OperationalEvent[]) => Promise<readonly Lost[]>;

export function operationalBus(client: EventBridgeClient, busName: string): OperationalBus {
  return async (events) => {
    const abortSignal = AbortSignal.timeout(PUTTING_TIME_MS);
    const lost = await Promise.all(
      chunks(events, MAX_ENTRIES).map(async (some): Promise<Lost[]> => {
        try {
          const command = new PutEventsCommand({ Entries: some.map((event) => entryOf(event, busName)) });
          const { Entries = [] } = await client.send(command, { abortSignal });
          // Answers come in the order of the entries; only an accepted one has an EventId.
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
