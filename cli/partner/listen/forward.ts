import { connectionErrorSentence } from '../../terminal/explanation.ts';
import { exchange } from '../exchange.ts';
import type { Forward } from '../partner-command.ts';

/** As long as a POST of ours waits by default. */
const TIMEOUT_MS = 10_000;

/** Posts events with the very bytes and headers that they came with. */
export function forwarder(signal: AbortSignal, send: typeof fetch = fetch): Forward {
  return async (url, { headers, body }) => {
    const deadline = AbortSignal.timeout(TIMEOUT_MS);
    try {
      const answer = await exchange(send, url, {
        method: 'POST',
        headers,
        body: Buffer.from(body, 'utf8'),
        redirect: 'manual',
        signal: AbortSignal.any([signal, deadline]),
      });
      return 'failure' in answer
        ? { failure: connectionErrorSentence(answer.failure, new URL(url).host) }
        : { status: answer.status };
    } catch (error) {
      if (!deadline.aborted || signal.aborted) {
        throw error;
      }
      return { failure: `no answer within ${TIMEOUT_MS / 1_000} s` };
    }
  };
}
