import { constants } from 'node:crypto';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { checkServerIdentity, connect as connectTls, createSecureContext, type TLSSocket } from 'node:tls';
import type { buildConnector } from 'undici';
import { RecentlyUsed } from '../../runtime/recently-used.ts';
import type { AddressGuard, VettedAddresses } from './address-guard.ts';
import { boundedAnswers } from './bounded-answer.ts';
import { NotConnectedError } from './connection-failure.ts';

/** Within the deadline of the attempt: a host that takes longer to connect will hardly answer in the rest. */
const CONNECT_MS = 3_000;
/**
 * How long one of several addresses is tried before the next. Node gives the earlier one up instead of
 * racing both (RFC 8305 starts the next after 250 ms), so this must suffice for the far side of the world.
 */
const ONE_ADDRESS_MS = 500;
/** The longest deadline of an attempt: frees sockets of attempts with a shorter one. */
const HANDSHAKE_MS = 30_000;
/** Resumed sessions save a round trip and the check of the certificate chain. A session takes some 2 KB. */
const MAX_TLS_SESSIONS = 200;

export interface GuardedConnectorOptions {
  readonly guard: AddressGuard;
  /** Certificate authorities (PEM) to trust instead of Node's own. */
  readonly ca?: string;
}

/**
 * Connects undici to checked addresses only. Every failure is a NotConnectedError that says which step
 * failed.
 */
export function guardedConnector({ guard, ca }: GuardedConnectorOptions): buildConnector.connector {
  // Built once: parsing the certificate authorities per connection would cost more than the handshake.
  const secureContext = createSecureContext({
    ca,
    // An endpoint with TLS 1.2 could request one handshake after the other.
    secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
  });
  const sessions = new RecentlyUsed<Buffer>(MAX_TLS_SESSIONS);

  async function open({ hostname, port, protocol }: buildConnector.Options): Promise<Socket | TLSSocket> {
    const isTls = protocol === 'https:';
    const socket = await openTcp(hostname, Number(port || (isTls ? 443 : 80)), await guard.vet(hostname));
    try {
      guard.vetPeer(socket.remoteAddress);
    } catch (error) {
      socket.destroy();
      throw error;
    }
    return boundedAnswers(isTls ? await openTls(socket, hostname, `${hostname}:${port}`) : socket, socket);
  }

  async function openTls(socket: Socket, hostname: string, sessionKey: string): Promise<TLSSocket> {
    const secured = connectTls({
      socket,
      host: hostname,
      // RFC 6066: server names are never addresses.
      servername: isIP(hostname) === 0 ? hostname : '',
      secureContext,
      session: sessions.get(sessionKey),
      ALPNProtocols: ['http/1.1'],
      // Explicit, so that NODE_TLS_REJECT_UNAUTHORIZED has no effect.
      rejectUnauthorized: true,
      checkServerIdentity,
    });
    secured.on('session', (session) => sessions.set(sessionKey, session));
    const late = new NotConnectedError('timeout', `no TLS handshake within ${HANDSHAKE_MS} ms`);
    await arrival(secured, 'secureConnect', HANDSHAKE_MS, late, (error) => {
      sessions.delete(sessionKey);
      return new NotConnectedError('tls', `the TLS handshake failed (${codeOf(error)})`, error);
    });
    return secured;
  }

  return (options, callback) => {
    open(options).then(
      (socket) => callback(null, socket),
      (error) => callback(error, null),
    );
  };
}

async function openTcp(hostname: string, port: number, addresses: VettedAddresses): Promise<Socket> {
  const socket = connectTcp({
    host: hostname,
    port,
    // The pin: the socket gets these addresses and no others, whatever the name resolves to by now.
    lookup: (_hostname, _options, callback) => callback(null, [...addresses]),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: ONE_ADDRESS_MS,
    noDelay: true,
  });
  const late = new NotConnectedError('timeout', `no connection within ${CONNECT_MS} ms`);
  await arrival(socket, 'connect', CONNECT_MS, late, (error) => {
    return new NotConnectedError(
      'connect',
      `no connection to ${hostname} on port ${port} (${codeOf(error)})`,
      error,
    );
  });
  return socket;
}

/** Waits for the event of the socket; a socket that fails or takes too long is destroyed. */
function arrival(
  socket: Socket,
  event: 'connect' | 'secureConnect',
  limitMs: number,
  late: Error,
  failure: (error: Error) => Error,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(late);
      socket.destroy();
    }, limitMs);
    const fail = (error: Error) => {
      clearTimeout(timer);
      reject(failure(error));
    };
    // Stays attached: an error between two steps without a listener would end the process.
    socket.on('error', () => {});
    socket.once('error', fail);
    socket.once(event, () => {
      clearTimeout(timer);
      socket.off('error', fail);
      resolve();
    });
  });
}

function codeOf(error: Error): string {
  return 'code' in error ? String(error.code) : error.message;
}
