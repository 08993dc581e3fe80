import { createHash } from 'node:crypto';
import { json } from 'node:stream/consumers';
import { loopback } from '../../support/network/dead-address.ts';

/** An entry of a call, as the example has sent it, with the event in it. */
export interface Published {
  readonly entry: Readonly<Record<string, string>>;
  readonly event: { readonly event_id: string };
}

/** Where an example publishes. */
export interface Door {
  readonly url: string;
  /** The entries of each call. */
  readonly calls: readonly (readonly Published[])[];
  stop(): Promise<unknown>;
}

type Accepts = (published: Published, call: number) => boolean;

/** An EventBridge on the loopback that knows `PutEvents` alone. */
export function startFakeBus(accepts: Accepts): Promise<Door> {
  return startDoor('Detail', (published, call) => {
    const Entries = published.map((one, index) =>
      accepts(one, call)
        ? { EventId: `${call}-${index}` }
        : { ErrorCode: 'ThrottlingException', ErrorMessage: 'Rate exceeded' },
    );
    return { FailedEntryCount: Entries.filter(({ ErrorCode }) => ErrorCode !== undefined).length, Entries };
  });
}

/** An SQS on the loopback that knows `SendMessageBatch` alone. */
export function startFakeQueue(accepts: Accepts): Promise<Door> {
  return startDoor('MessageBody', (published, call) => {
    const taken = published.filter((one) => accepts(one, call));
    return {
      Successful: taken.map(({ entry: { Id, MessageBody = '' } }) => ({
        Id,
        MessageId: `${call}-${Id}`,
        MD5OfMessageBody: createHash('md5').update(MessageBody).digest('hex'),
      })),
      Failed: published
        .filter((one) => !taken.includes(one))
        .map(({ entry: { Id } }) => ({ Id, Code: 'InternalError', SenderFault: false })),
    };
  });
}

async function startDoor(
  body: string,
  answer: (published: readonly Published[], call: number) => object,
): Promise<Door> {
  const calls: Published[][] = [];
  const { url, stop } = await loopback(async (request, response) => {
    const { Entries } = (await json(request)) as { Entries: Published['entry'][] };
    const published = Entries.map((entry) => ({
      entry,
      event: JSON.parse(entry[body] ?? ''),
    }));
    calls.push(published);
    response.setHeader('content-type', 'application/x-amz-json-1.1');
    response.end(JSON.stringify(answer(published, calls.length)));
  });
  return { url, calls, stop };
}
