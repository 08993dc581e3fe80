import { useEffect, useRef, useState } from 'preact/hooks';
import type { MessageSummary } from '../../functions/core/message/message-view.ts';
import { type Failure, failureOf, problemKind, waitAfter } from '../api/failure.ts';
import { useSignedIn } from '../app/session.ts';
import { TEXT } from '../texts.ts';
import { FailureNotice } from '../view/failure-notice.tsx';
import { counted } from '../words/numbers.ts';

/** Half of what a token may ask for, so that whoever uses it besides gets through. */
const EVERY_MS = 200;
/** Somebody else was quicker, or there is nothing left to send: the next one is not worse for it. */
const PASSED_OVER = ['already-waiting', 'body-erased', 'not-found', 'ping-not-resent'];

/** Sends some messages again, one by one, in their order, while the viewer stays. */
export function ResendEach({ messages }: { readonly messages: readonly MessageSummary[] }) {
  const { api, generation } = useSignedIn();
  const [sent, advance] = useState(0);
  const [failure, fail] = useState<Failure>();
  const [isStopped, stop] = useState(false);
  const failures = useRef(0);
  const next = messages[sent];
  useEffect(() => {
    if (next === undefined || isStopped) return undefined;
    const abort = new AbortController();
    const wait =
      failures.current > 0 && failure !== undefined ? waitAfter(failure, failures.current) : EVERY_MS;
    const timer = setTimeout(async () => {
      try {
        await api.request('POST', `/messages/${encodeURIComponent(next.message_id)}/resend`, {
          idempotencyKey: crypto.randomUUID(),
          signal: abort.signal,
        });
      } catch (error) {
        if (abort.signal.aborted) return;
        const why = failureOf(error);
        if (!PASSED_OVER.includes(problemKind(why) ?? '')) {
          failures.current += 1;
          fail(why);
          return;
        }
      }
      failures.current = 0;
      fail(undefined);
      advance(sent + 1);
    }, wait);
    return () => {
      abort.abort();
      clearTimeout(timer);
    };
  }, [sent, isStopped, generation, failure]);
  const isDone = next === undefined;
  return (
    <div>
      <progress max={messages.length} value={sent} aria-label={TEXT.recover.progress} />
      <p role="status">
        {isDone
          ? TEXT.recover.asked(counted(sent, 'message'))
          : TEXT.recover.askedSoFar(sent, messages.length)}
      </p>
      <FailureNotice failure={failure} what={TEXT.recover.goesOn} />
      {!isDone && (
        <button type="button" onClick={() => stop(!isStopped)}>
          {isStopped ? TEXT.recover.goOn : TEXT.recover.stop}
        </button>
      )}
    </div>
  );
}
