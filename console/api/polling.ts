import { useEffect, useRef } from 'preact/hooks';
import { type Polled, type Poller, poller } from './poller.ts';

/**
 * Polls while what uses it is shown.
 *
 * @param what is asked: a change begins anew
 */
export function usePolling<Answer>(
  polled: Polled<Answer>,
  what: readonly unknown[],
): Pick<Poller, 'refresh' | 'supersede'> {
  const latest = useRef(polled);
  latest.current = polled;
  const running = useRef<Poller | undefined>(undefined);
  useEffect(() => {
    const polling = poller(
      () => latest.current,
      () => document.hidden,
    );
    running.current = polling;
    document.addEventListener('visibilitychange', polling.seen);
    return () => {
      polling.stop();
      document.removeEventListener('visibilitychange', polling.seen);
    };
  }, what);
  return {
    refresh: () => running.current?.refresh(),
    supersede: () => running.current?.supersede(),
  };
}
