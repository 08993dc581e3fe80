import type { Socket } from 'node:net';
import type { FailureClass } from '../../../functions/core/attempt/attempt.ts';
import { type Answer, type RawServer, rawServer } from '../../support/network/raw-server.ts';

/** A receiver that tries to harm its sender. */
export interface HostileReceiver {
  readonly what: string;
  readonly scheme: 'http' | 'https';
  readonly start: () => Promise<RawServer>;
  /** The failure of an attempt on it; absent when the attempt counts as delivered. */
  readonly failureClass: FailureClass | undefined;
  readonly statusCode?: number;
}

export const KILOBYTE = 'x'.repeat(1_024);

export function answering(
  what: string,
  answer: Answer,
  failureClass: FailureClass | undefined,
  statusCode?: number,
): HostileReceiver {
  const start = () => rawServer(answer);
  return { what, scheme: 'http', start, failureClass, ...(statusCode === undefined ? {} : { statusCode }) };
}

/** One that acts before it receives a request. */
export function greeting(
  scheme: 'http' | 'https',
  what: string,
  greet: (socket: Socket) => void,
  failureClass: FailureClass,
): HostileReceiver {
  const start = async () => {
    const server = await rawServer();
    server.onConnection(greet);
    return server;
  };
  return { what, scheme, start, failureClass };
}

export function drip(socket: Socket, head: string, drop: string, everyMs: number): void {
  socket.write(head);
  const timer = setInterval(() => socket.write(drop), everyMs);
  socket.on('close', () => clearInterval(timer));
}

/** Writes as fast as the other end reads. */
export function flood(socket: Socket, head: string): void {
  const pump = () => {
    while (!socket.destroyed && socket.write(KILOBYTE)) {
      // Until the socket's buffer is full.
    }
  };
  socket.on('drain', pump);
  socket.write(head);
  pump();
}
