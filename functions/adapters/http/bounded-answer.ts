import type { Socket } from 'node:net';
import { UnreadableAnswerError } from './connection-failure.ts';
import { plainAnswer } from './plain-answer.ts';

/**
 * How much of an answer is read, whatever it consists of: interim answers, head, chunk sizes and extensions,
 * body, trailer. 16 KB of head and 4 KB of body in one-byte chunks are less than half.
 */
const MAX_ANSWER_BYTES = 65_536;

/** Below TLS, including handshake, certificates and padding. */
const MAX_WIRE_BYTES = 262_144;
/**
 * Traffic that TLS consumes itself, such as endless session tickets, never surfaces here, so it is checked at
 * this interval.
 */
const LOOK_MS = 250;

/**
 * Limits what undici reads of a connection, and closes it when more than the limit has come since the last
 * request: undici bounds neither reason phrases nor what comes besides the body. What arrived in one piece is
 * still read, so a long body is no error; that is 64 KB more at most.
 *
 * @param wire the socket that TLS reads from; the same socket without TLS
 */
export function boundedAnswers<Connection extends Socket>(socket: Connection, wire: Socket): Connection {
  // Writing starts with the request, and undici takes answers with `read`: nothing else passes.
  const [write, read] = [socket.write.bind(socket), socket.read.bind(socket)];
  let plain = plainAnswer();
  let receivedBytes = 0;
  let wireBytesBefore = 0;

  if (wire !== socket) {
    const look = () => {
      if (wire.bytesRead - wireBytesBefore > MAX_WIRE_BYTES) {
        socket.destroy(tooMuch(MAX_WIRE_BYTES));
      }
    };
    const looking = setInterval(look, LOOK_MS).unref();
    socket.on('session', look).on('close', () => clearInterval(looking));
  }

  socket.write = ((...request: Parameters<typeof write>) => {
    plain = plainAnswer();
    receivedBytes = 0;
    wireBytesBefore = wire.bytesRead;
    return write(...request);
  }) as typeof write;

  socket.read = () => {
    for (;;) {
      const chunk: Buffer | null = read();
      if (chunk === null) {
        return null;
      }
      if (receivedBytes > MAX_ANSWER_BYTES) {
        socket.destroy(tooMuch(MAX_ANSWER_BYTES));
        return null;
      }
      receivedBytes += chunk.length;
      try {
        const answer = plain(chunk);
        if (answer.length > 0) {
          return answer;
        }
      } catch (error) {
        socket.destroy(error as Error);
        return null;
      }
    }
  };
  return socket;
}

function tooMuch(bytes: number): UnreadableAnswerError {
  return new UnreadableAnswerError('oversized', `answered with more than ${bytes / 1_024} KB in all`);
}
