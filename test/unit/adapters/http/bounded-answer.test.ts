import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { boundedAnswers } from '../../../../functions/adapters/http/bounded-answer.ts';
import { type RawServer, rawServer } from '../../../support/network/raw-server.ts';

let server: RawServer;

beforeEach(async () => {
  server = await rawServer();
});

afterEach(() => server.close());

/** A connection, and the socket that TLS would read from; the test says how much was read. */
async function connected() {
  const wire = { bytesRead: 5_000 };
  const socket = connect(server.port, '127.0.0.1');
  await once(socket, 'connect');
  return { socket: boundedAnswers(socket, wire as Socket), wire };
}

const TOO_MUCH = 'answered with more than 256 KB in all';

test('traffic inside TLS is limited too, and checked with each session ticket', async () => {
  const { socket, wire } = await connected();
  const failed = once(socket, 'error');
  wire.bytesRead += 262_145;
  socket.emit('session');
  expect(await failed).toEqual([expect.objectContaining({ message: TOO_MUCH })]);
});

test('and at intervals without any event', async () => {
  const { socket, wire } = await connected();
  wire.bytesRead += 262_145;
  expect(await once(socket, 'error')).toEqual([expect.objectContaining({ message: TOO_MUCH })]);
});

test('the count starts with the last request', async () => {
  const { socket, wire } = await connected();
  for (let request = 1; request <= 3; request += 1) {
    socket.write('POST / HTTP/1.1\r\n\r\n');
    wire.bytesRead += 200_000;
    socket.emit('session');
  }
  expect(socket.destroyed).toBe(false);
  socket.destroy();
});
