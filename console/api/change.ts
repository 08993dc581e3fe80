import { useRef, useState } from 'preact/hooks';
import { useSignedIn } from '../app/session.ts';
import { type Failure, failureOf } from './failure.ts';
import type { Answer } from './queries.ts';

export interface Wanted {
  readonly method: 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
  readonly ifMatch?: string | undefined;
}

export interface Changing<Body> {
  readonly isUnderWay: boolean;
  readonly failure: Failure | undefined;
  /** @returns undefined when it failed: see `failure` */
  readonly send: (wanted: Wanted) => Promise<Answer<Body> | undefined>;
  readonly forget: () => void;
}

/**
 * A change that the viewer asks for. Repeating it after a failure does it once: it keeps its idempotency key.
 */
export function useChange<Body>(): Changing<Body> {
  const { api } = useSignedIn();
  const [state, setState] = useState<{ isUnderWay: boolean; failure?: Failure }>({ isUnderWay: false });
  const latest = useRef({ wanted: '', key: '', isUnderWay: false });
  return {
    isUnderWay: state.isUnderWay,
    failure: state.failure,
    forget: () => setState({ isUnderWay: false }),
    async send({ method, path, body, ifMatch }) {
      // A second click comes before the button is seen to be disabled.
      if (latest.current.isUnderWay) return undefined;
      const wanted = JSON.stringify([method, path, body, ifMatch]);
      const key = latest.current.wanted === wanted ? latest.current.key : crypto.randomUUID();
      latest.current = { wanted, key, isUnderWay: true };
      setState({ isUnderWay: true });
      try {
        const answer = await api.request<Body>(method, path, {
          ...(body === undefined ? {} : { body }),
          ...(method === 'POST' ? { idempotencyKey: key } : {}),
          ifMatch,
        });
        latest.current = { wanted: '', key: '', isUnderWay: false };
        setState({ isUnderWay: false });
        return answer;
      } catch (error) {
        latest.current.isUnderWay = false;
        setState({ isUnderWay: false, failure: failureOf(error) });
        return undefined;
      }
    },
  };
}
