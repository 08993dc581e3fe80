import type { Socket } from 'node:net';
import { withoutInterimAnswers } from './interim-answers.ts';

/**
 * So much of an answer is read, whatever it consists of: interim answers, head, sizes and extensions of chunks, body, trailer. Sixteen KB of head and
 * four of body in chunks of a byte each are less than half.
 */
export const MAX_ANSWER_BYTES = 65_536;

/** Below TLS, with its handshake, certificates and padding. */
const MAX_WIRE_BYTES = 262_144;
/** What TLS keeps to itself, such as tickets without end, is never read here: it is looked at so often. */
const LOOK_MS = 250;

/** A receiver has sent more than is read of any answer. The message is the sentence for the record of the attempt. */
export class OversizedAnswerError extends Error {
  override readonly name = 'OversizedAnswerError';
}

/**
 * Has a connection give undici the answer alone, and closes it when more has come since the last request than is read of any answer: undici bounds
 * neither reason phrases nor what is said besides the body. What came in one go is still read, so that a long body is no fault; that is
 * another 64 KB at most.
 *
 * @param wire what TLS reads from; the same socket where there is none
 */
export function boundedAnswers<Connection extends Socket>(socket: Connection, wire: Socket): Connection {
  // What is sent begins with the request, and undici takes an answer with `read`: nothing else passes.
  const [write, read] = [socket.write.bind(socket), socket.read.bind(socket)];
  let leaveOut = withoutInterimAnswers();
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
    leaveOut = withoutInterimAnswers();
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
      const answer = leaveOut(chunk);
      if (answer.length > 0) {
        return answer;
      }
    }
  };
  return socket;
}

function tooMuch(bytes: number): OversizedAnswerError {
  return new OversizedAnswerError(`answered with more than ${bytes / 1_024} KB in all`);
}
