import { setTimeout as delay } from 'node:timers/promises';
import { type EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import type { SampleEvent } from './sample-payments.ts';

/** The most that PutEvents takes. */
const BATCH_SIZE = 10;

const TRIES = 5;

/** EventBridge refused an event again and again. */
class EventRefusedError extends Error {
  override readonly name = 'EventRefusedError';
}

/** A bus that may refuse single entries; answers those, with the reason. */
export type PutEvents = (
  events: readonly SampleEvent[],
) => Promise<readonly { readonly event: SampleEvent; readonly reason: string }[]>;

export function bus(client: EventBridgeClient, name: string): PutEvents {
  return async (events) => {
    const { Entries = [] } = await client.send(
      new PutEventsCommand({
        Entries: events.map((event) => ({
          EventBusName: name,
          Source: 'payments',
          DetailType: event.event_type,
          Detail: JSON.stringify(event),
        })),
      }),
    );
    return events.flatMap((event, index) => {
      const { ErrorCode, ErrorMessage } = Entries[index] ?? {};
      return ErrorCode === undefined ? [] : [{ event, reason: `${ErrorCode}: ${ErrorMessage}` }];
    });
  };
}

/**
 * Puts events on the bus, those of one payment one after another in the order given. What is refused is put
 * again, before anything later of its payment. Answers how many entries had to be put again.
 *
 * @throws EventRefusedError when one is refused five times in a row; events before it are on the bus
 */
export async function publish(
  events: readonly SampleEvent[],
  putEvents: PutEvents,
  sleep: (ms: number) => Promise<unknown> = delay,
): Promise<{ readonly repeated: number }> {
  let waiting = events;
  let repeated = 0;
  let failures = 0;
  while (waiting.length > 0) {
    const { batch, rest } = nextBatch(waiting);
    const refused = await putEvents(batch);
    repeated += refused.length;
    failures = refused.length === batch.length ? failures + 1 : 0;
    if (failures === TRIES) {
      throw new EventRefusedError(`refused ${TRIES} times in a row: ${refused[0]?.reason}`);
    }
    if (refused.length > 0) {
      await sleep(50 * 2 ** failures);
    }
    waiting = [...refused.map(({ event }) => event), ...rest];
  }
  return { repeated };
}

/** The first events of up to ten payments. Never two of one: a partial refusal would turn them round. */
function nextBatch(waiting: readonly SampleEvent[]) {
  const batch: SampleEvent[] = [];
  const rest: SampleEvent[] = [];
  const payments = new Set<string>();
  for (const event of waiting) {
    const isNext = batch.length < BATCH_SIZE && !payments.has(event.payment_id);
    (isNext ? batch : rest).push(event);
    payments.add(event.payment_id);
  }
  return { batch, rest };
}
