import type { Socket } from 'node:net';
import type { AddressGuard } from '../../../../functions/adapters/http/address-guard.ts';
import { guardedConnector } from '../../../../functions/adapters/http/guarded-connector.ts';
import { NotConnectedError } from '../../../../functions/adapters/http/not-connected-error.ts';
import { deadAddress } from '../../../support/network/dead-address.ts';
import { type RawServer, rawServer } from '../../../support/network/raw-server.ts';

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
