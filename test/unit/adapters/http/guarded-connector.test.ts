import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { AddressGuard } from '../../../../functions/adapters/http/address-guard.ts';
import { boundedAnswers } from '../../../../functions/adapters/http/bounded-answer.ts';
import { failureOf, NotConnectedError } from '../../../../functions/adapters/http/connection-failure.ts';
import { guardedConnector } from '../../../../functions/adapters/http/guarded-connector.ts';
import { deadAddress } from '../../../support/network/dead-address.ts';
import { type RawServer, rawServer } from '../../../support/network/raw-server.ts';

describe('guarded connector', () => {
  let server: RawServer;

  beforeEach(async () => {
    server = await rawServer();
  });

  afterEach(() => server.close());

  const toLoopback: AddressGuard = {
    vet: async () => [{ address: '127.0.0.1', family: 4 }],
    vetPeer: () => {},
  };

  function connect(guard: AddressGuard): Promise<Socket> {
    const options = { hostname: 'partner.test', protocol: 'http:', port: String(server.port) };
    return new Promise((resolve, reject) => {
      guardedConnector({ guard })(options, (error, socket) =>
        error === null ? resolve(socket) : reject(error),
      );
    });
  }

  test('a connection goes to the checked address', async () => {
    const socket = await connect(toLoopback);

    expect([socket.remoteAddress, socket.remotePort]).toEqual(['127.0.0.1', server.port]);
    socket.destroy();
  });

  test('a connection to a refused peer is closed before anything is sent', async () => {
    const blocked = new NotConnectedError('blocked_address', 'not there');
    const peers: (string | undefined)[] = [];

    await expect(
      connect({
        ...toLoopback,
        vetPeer(address) {
          peers.push(address);
          throw blocked;
        },
      }),
    ).rejects.toBe(blocked);

    expect(peers).toEqual(['127.0.0.1']);
    await server.idle();
    expect(server.requests).toEqual([]);
  });

  test('an address that does not answer costs half a second, then the next is tried', async () => {
    const dead = await deadAddress('127.0.0.2', server.port);
    const startedAt = performance.now();

    const socket = await connect({
      ...toLoopback,
      vet: async () => ['127.0.0.2', '127.0.0.1'].map((address) => ({ address, family: 4 })),
    });

    expect(socket.remoteAddress).toBe('127.0.0.1');
    expect(performance.now() - startedAt).toBeGreaterThan(490);
    socket.destroy();
    dead.revive();
  });
});

describe('connection failure', () => {
  test('a NotConnectedError brings its own class and reason', () => {
    expect(failureOf(new NotConnectedError('dns', 'partner.test does not exist'))).toEqual({
      failure_class: 'dns',
      failure_reason: 'partner.test does not exist',
    });
  });

  test('an alert after the handshake is a failure of class tls', () => {
    const error = Object.assign(new Error('write EPROTO ...'), {
      code: 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED',
    });

    expect(failureOf(error)).toEqual({
      failure_class: 'tls',
      failure_reason: 'the TLS connection failed (ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED)',
    });
  });

  test('an unknown error is a failure of class connect with its own message', () => {
    expect(failureOf(new Error('out of the blue'))).toEqual({
      failure_class: 'connect',
      failure_reason: 'the request could not be sent: out of the blue',
    });
  });
});

describe('bounded answer', () => {
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
});
