import { gzipSync } from 'node:zlib';
import { rawServer, rawTlsServer, response } from '../../support/network/raw-server.ts';
import { answering, drip, flood, greeting, type HostileReceiver, KILOBYTE } from './listeners.ts';

const OK = 'HTTP/1.1 200 OK\r\n';
/** 10 MB compressed to 10 KB. */
const BOMB = gzipSync(Buffer.alloc(10_000_000));

/** Never ends: only a deadline stops it. */
export const HANGING_RECEIVERS: readonly HostileReceiver[] = [
  answering('never answers', () => {}, 'timeout'),
  answering('drips its headers, a byte a second', (socket) => drip(socket, '', 'H', 1_000), 'timeout'),
  answering(
    'drips its body, a byte a second',
    (socket) => drip(socket, `${OK}content-length: 999\r\n\r\n`, 'x', 1_000),
    'timeout',
    200,
  ),
  answering(
    'sends interim responses without end',
    (socket) => drip(socket, '', 'HTTP/1.1 103 Early Hints\r\nlink: </>\r\n\r\n', 100),
    'timeout',
  ),
  {
    what: 'never completes the handshake',
    scheme: 'https',
    start: () => rawServer(),
    failureClass: 'timeout',
  },
];

export const HOSTILE_RECEIVERS: readonly HostileReceiver[] = [
  ...HANGING_RECEIVERS,
  answering('sends an endless body', (socket) => flood(socket, `${OK}\r\n`), undefined, 200),
  answering(
    'sends an endless error',
    (socket) => flood(socket, 'HTTP/1.1 500 Internal Server Error\r\n\r\n'),
    'http_status',
    500,
  ),
  answering(
    'sends a gzip bomb',
    (socket) => {
      socket.write(`${OK}content-encoding: gzip\r\ncontent-length: ${BOMB.length}\r\n\r\n`);
      socket.write(BOMB);
    },
    undefined,
    200,
  ),
  answering(
    'sends a header line of 1 MB',
    (socket) => socket.write(`${OK}x-long: ${KILOBYTE.repeat(1_024)}\r\n\r\n`),
    'oversized',
  ),
  answering(
    'sends a hundred thousand headers',
    (socket) => socket.write(`${OK}${'x-short: x\r\n'.repeat(100_000)}\r\n`),
    'oversized',
  ),
  answering('sends endless headers', (socket) => flood(socket, `${OK}x-long: `), 'oversized'),
  // Bounded here, because it shares two cores with the neighbour. Endless:
  // test/unit/adapters/http/http-post.test.ts.
  ...['HTTP/1.1 100 Continue\r\n\r\n', 'HTTP/1.1 103 Early Hints\r\n\r\n', '\r\n'].map((before) =>
    answering(
      `sends 300 KB of ${JSON.stringify(before)}`,
      (socket) => socket.write(before.repeat(300_000 / before.length)),
      'oversized',
    ),
  ),
  answering(
    'sends a reason phrase of 300 KB',
    (socket) => socket.write(`HTTP/1.1 200 ${KILOBYTE.repeat(300)}`),
    'oversized',
  ),
  answering(
    'sends a chunk extension of 300 KB',
    (socket) => socket.write(`${OK}transfer-encoding: chunked\r\n\r\n1;${KILOBYTE.repeat(300)}`),
    'oversized',
    200,
  ),
  answering(
    'sends an interim response, then answers',
    (socket) => socket.write(`HTTP/1.1 100 Continue\r\n\r\n${response('200 OK')}`),
    undefined,
    200,
  ),
  answering('answers with status 000', (socket) => socket.write(response('000 Nothing')), 'connect'),
  answering('invents a status', (socket) => socket.write('HTTP/1.1 TWO OK\r\n\r\n'), 'connect'),
  answering('speaks HTTP/0.9', (socket) => socket.end('<html>hello</html>'), 'connect'),
  answering('speaks HTTP/2', (socket) => socket.write('\0\0\x12\x04\0\0\0\0\0\0\x03\0\0\0\x80'), 'connect'),
  answering(
    'sends contradictory lengths',
    (socket) => socket.write(`${OK}content-length: 2\r\ncontent-length: 3\r\n\r\nok`),
    'connect',
  ),
  answering(
    'sends a chunk whose length is not a number',
    (socket) => socket.write(`${OK}transfer-encoding: chunked\r\n\r\n-1\r\nok\r\n`),
    'connect',
    200,
  ),
  answering(
    'sends more than it announced',
    (socket) => socket.write(`${response('200 OK', 'ok')}more`),
    undefined,
    200,
  ),
  answering(
    'sends less than it announced',
    (socket) => socket.end(`${OK}content-length: 9\r\n\r\nok`),
    'connect',
    200,
  ),
  answering('resets on the request', (socket) => socket.resetAndDestroy(), 'connect'),
  answering(
    'resets in the middle of its answer',
    (socket) => socket.write(`${OK}content-length: 9\r\n\r\nok`, () => socket.resetAndDestroy()),
    'connect',
    200,
  ),
  answering('closes without an answer', (socket) => socket.end(), 'connect'),
  greeting('http', 'resets on connect', (socket) => socket.resetAndDestroy(), 'connect'),
  greeting('https', 'speaks no TLS', (socket) => socket.end(response('400 Bad Request')), 'tls'),
  greeting(
    'https',
    'resets during the handshake',
    (socket) => socket.once('data', () => socket.resetAndDestroy()),
    'tls',
  ),
  {
    what: 'has a self-signed certificate',
    scheme: 'https',
    start: () => rawTlsServer((socket) => socket.write(response('200 OK'))),
    failureClass: 'tls',
  } as const,
];
