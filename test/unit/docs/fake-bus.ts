import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Entry {
  readonly EventBusName: string;
  readonly Source: string;
  readonly DetailType: string;
  readonly Detail: string;
}

/** An EventBridge on the loopback that knows `PutEvents` alone. `accepts` decides about each entry; `calls` holds the entries of each call. */
export async function startFakeBus(accepts: (entry: Entry, call: number) => boolean) {
  const calls: Entry[][] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const entries: Entry[] = JSON.parse(Buffer.concat(chunks).toString('utf8')).Entries;
    calls.push(entries);
    const Entries = entries.map((entry, index) =>
      accepts(entry, calls.length)
        ? { EventId: `${calls.length}-${index}` }
        : { ErrorCode: 'ThrottlingException', ErrorMessage: 'Rate exceeded' },
    );
    const FailedEntryCount = Entries.filter(({ ErrorCode }) => ErrorCode !== undefined).length;
    response.setHeader('content-type', 'application/x-amz-json-1.1');
    response.end(JSON.stringify({ FailedEntryCount, Entries }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    stop: () => new Promise((resolve) => server.close(resolve)),
  };
}
