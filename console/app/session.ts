import { createContext } from 'preact';
import { useContext, useLayoutEffect, useState } from 'preact/hooks';
import { type ApiClient, apiClient } from '../api/client.ts';
import { FailedRequestError } from '../api/failure.ts';

/** What a link from the partner's portal is exchanged for. */
export interface PortalSession {
  readonly session_id: string;
  readonly token: string;
  readonly expires_at: string;
  readonly rights: 'read' | 'manage';
  /** Of a session of the whole stage, which only reads what is a service's. @default - of one service */
  readonly stage?: 'on-call' | 'analyst';
  readonly service_id?: string;
  /** The only ones it may use. @default - all of the service */
  readonly subscriptions?: readonly string[];
}

/** Whoever signed in. It lives in the memory of this page and ends with it. */
export type Session =
  | { readonly kind: 'none' }
  | ({ readonly kind: 'open' } & SignedIn)
  /** The token is not accepted any more; the screens stay, with what was typed. */
  | ({ readonly kind: 'ended'; readonly why: string } & SignedIn);

interface SignedIn {
  readonly api: ApiClient;
  /** Increases with each sign-in: what was asked with an earlier token is asked again. */
  readonly generation: number;
  /** Whose data is seen; undefined for the whole stage. */
  readonly service: string | undefined;
  /** Absent: signed in with a token of the API, whose rights the API alone knows. */
  readonly portal?: Omit<PortalSession, 'token'>;
}

let session: Session = { kind: 'none' };
let generation = 0;
const listeners = new Set<() => void>();

function become(next: Session): void {
  session = next;
  for (const listener of listeners) listener();
}

/**
 * Signs in with a token that was found to be good. Whoever was signed in until now is signed out.
 *
 * @param service whose token it is; undefined for the whole stage
 */
export function signIn(
  token: string,
  service: string | undefined,
  portal?: Omit<PortalSession, 'token'>,
): void {
  const before = session;
  generation += 1;
  const mine = generation;
  const client = apiClient(token, (why) => endSession(mine, why));
  const api: ApiClient = {
    async request<Body>(...asked: Parameters<ApiClient['request']>) {
      const answer = await client.request<Body>(...asked);
      // By now somebody else may have signed in, who must not see it.
      if (session.kind === 'none' || session.service !== service) {
        throw new FailedRequestError({ kind: 'signed_out', detail: '' });
      }
      return answer;
    },
  };
  if (before.kind !== 'none' && before.service !== service) {
    // The screen may be of something that this service does not have.
    history.replaceState(null, '', '#/subscriptions');
    dispatchEvent(new HashChangeEvent('hashchange'));
  }
  become({ kind: 'open', api, generation, service, ...(portal === undefined ? {} : { portal }) });
  endAtApi(before);
}

/** @param ended the generation that ended: a later one stays */
export function endSession(ended: number, why: string): void {
  if (session.kind === 'open' && session.generation === ended) {
    become({ ...session, kind: 'ended', why });
  }
}

export function signOut(): void {
  endAtApi(session);
  become({ kind: 'none' });
}

/** A session from a link is also ended where it is kept, so that nobody can use its token any more. */
function endAtApi(ended: Session): void {
  if (ended.kind !== 'open' || ended.portal === undefined) return;
  const { stage, session_id } = ended.portal;
  const path = stage ? '/stage/session' : `/portal-sessions/${encodeURIComponent(session_id)}`;
  // It ends by itself at its time.
  ended.api.request('DELETE', path).catch(() => {});
}

export function useSession(): Session {
  const [current, setCurrent] = useState(session);
  useLayoutEffect(() => {
    const look = () => setCurrent(session);
    listeners.add(look);
    return () => {
      listeners.delete(look);
    };
  }, []);
  return current;
}

export type SignedInSession = Exclude<Session, { kind: 'none' }>;

const SignedInContext = createContext<SignedInSession | undefined>(undefined);
export const SignedInProvider = SignedInContext.Provider;

/** Whoever signed in. Only below the screen that asks for it. */
export function useSignedIn(): SignedInSession {
  const signedIn = useContext(SignedInContext);
  if (signedIn === undefined) throw new Error('nobody has signed in');
  return signedIn;
}

/** Whether subscriptions may be created: not by whoever was let in to some. */
export function useMayCreate(): boolean {
  return useMayManage() && useSignedIn().portal?.subscriptions === undefined;
}

/** Whether what is on the screen may be changed, as far as is known beforehand. */
export function useMayManage(): boolean {
  return useSignedIn().portal?.rights !== 'read';
}
