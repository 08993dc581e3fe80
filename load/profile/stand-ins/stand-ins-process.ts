import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { answerOf, type Sent } from './queue-protocol.ts';
import type { PartnerOptions } from './stand-ins.ts';

/**
 * Queues, bus and partner in their own process, so that their work does not count for the function. `POST /`
 * serves SQS and EventBridge, `POST /hook` is the partner.
 */
let sent: Sent[] = [];
let partner: PartnerOptions = { status: 200, delayMs: 0 };
let partnerBytes = 0;
let orderNumber = 10n ** 18n;

const server = createServer(async (request, response) => {
  const body = await text(request);
  if (request.url === '/hook') {
    const { status, delayMs } = partner;
    const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`);
    // On the wire, without TLS and lower layers.
    partnerBytes += Buffer.byteLength(['POST /hook HTTP/1.1', ...headers, '', body].join('\r\n'));
    if (delayMs > 0) await delay(delayMs);
    response.writeHead(status).end();
    return;
  }
  const target = String(request.headers['x-amz-target']).split('.').at(-1) ?? '';
  const answer = answerOf(target, JSON.parse(body), () => String(orderNumber++));
  sent.push(...answer.sent);
  response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0' }).end(JSON.stringify(answer.json));
});
// Closing a connection under a request would look like a failure of the function.
server.keepAliveTimeout = 120_000;
server.listen(0, '127.0.0.1', () => {
  process.send?.({ port: (server.address() as AddressInfo).port });
});

process.on('message', (message: { take: true } | { partner: PartnerOptions }) => {
  if ('partner' in message) {
    partner = message.partner;
    process.send?.({});
    return;
  }
  process.send?.({ sent, partnerBytes });
  sent = [];
  partnerBytes = 0;
});
process.on('disconnect', () => process.exit(0));
