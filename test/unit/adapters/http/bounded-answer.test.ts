import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { boundedAnswers } from '../../../../functions/adapters/http/bounded-answer.ts';
import { type RawServer, rawServer } from '../../../support/network/raw-server.ts';

let server: RawServer;

beforeEach(async () => {
  server = await rawServer();
});

afterEach(() => server.close());

/** A connection, and what TLS would read from; how much, the test says. */
async function connected() {
  const wire = { bytesRead: 5_000 };
  const socket = connect(server.port, '127.0.0.1');
  await once(socket, 'connect');
  return { socket: boundedAnswers(socket, wire as Socket), wire };
}

const TOO_MUCH = 'answered with more than 256 KB in all';

test('What TLS keeps to itself has a bound too, looked at with each ticket', async () => {
  const { socket, wire } = await connected();
  const failed = once(socket, 'error');
  wire.bytesRead += 262_145;
  socket.emit('session');
  expect(await failed).toEqual([expect.objectContaining({ message: TOO_MUCH })]);
});

test('and now and then without any sign', async () => {
  const { socket, wire } = await connected();
  wire.bytesRead += 262_145;
  expect(await once(socket, 'error')).toEqual([expect.objectContaining({ message: TOO_MUCH })]);
});

test('It is counted from the last request on', async () => {
  const { socket, wire } = await connected();
  for (let request = 1; request <= 3; request += 1) {
    socket.write('POST / HTTP/1.1\r\n\r\n');
    wire.bytesRead += 200_000;
    socket.emit('session');
  }
  expect(socket.destroyed).toBe(false);
  socket.destroy();
});
