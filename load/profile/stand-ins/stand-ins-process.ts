import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { requestBytes } from '../../../functions/load-lab/receiver/request-bytes.ts';
import { answerOf, type Sent } from './queue-protocol.ts';
import type { PartnerOptions } from './stand-ins.ts';

/**
 * Queues, bus and partner in a process of their own, so that their work is not taken for the function's. `POST /` is what SQS and EventBridge are
 * asked, `POST /hook` the partner.
 */
let sent: Sent[] = [];
let wanted: PartnerOptions = { status: 200, delayMs: 0 };
let partnerBytes = 0;
let requests = 0;
let orderNumber = 10n ** 18n;

const server = createServer(async (request, response) => {
  const body = await textOf(request);
  if (request.url === '/hook') {
    requests += 1;
    const { status, delayMs } = wanted;
    const { method = '', url: path, headers } = request;
    partnerBytes += requestBytes({ method, path, headers, body: Buffer.from(body) });
    if (delayMs > 0) await delay(delayMs);
    response.writeHead(status).end();
    return;
  }
  const target = String(request.headers['x-amz-target']).split('.').at(-1) ?? '';
  const answer = answerOf(target, JSON.parse(body), () => String(orderNumber++));
  sent.push(...answer.sent);
  response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0' }).end(JSON.stringify(answer.json));
});
// A connection closed under a request would look like a failure of the function.
server.keepAliveTimeout = 120_000;
server.listen(0, '127.0.0.1', () => {
  process.send?.({ port: (server.address() as AddressInfo).port });
});

process.on('message', (message: { take: true } | { wanted: PartnerOptions }) => {
  if ('wanted' in message) {
    wanted = message.wanted;
    process.send?.({});
    return;
  }
  process.send?.({ sent, partnerBytes, requests });
  sent = [];
  partnerBytes = 0;
  requests = 0;
});
process.on('disconnect', () => process.exit(0));

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
