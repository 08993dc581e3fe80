import { createContext } from 'preact';
import { useContext, useLayoutEffect, useState } from 'preact/hooks';
import { type ApiClient, apiClient } from '../api/client.ts';
import { FailedRequestError } from '../api/failure.ts';
import { forget, type Kept, keep, keptUntilMs, MAY_KEEP, type PortalSession, whatIsKept } from './kept.ts';
import { askTabs, listenToTabs, tellSignedOut } from './tabs.ts';

/** Whoever signed in. What of it outlasts the page: `kept`. */
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
  readonly portal?: Omit<PortalSession, 'token'> | undefined;
  /** What a reload and a new tab get; undefined: nothing. */
  readonly kept: Kept | undefined;
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
 * @param given `service`: whose token it is; undefined for the whole stage
 * @param keeps whether a reload, or a new tab, is signed in too
 */
export function signIn(given: Omit<Kept, 'id' | 'untilMs'>, keeps: boolean): void {
  const kept = { ...given, id: crypto.randomUUID(), untilMs: keptUntilMs(given.portal, Date.now()) };
  if (keeps && MAY_KEEP) keep(kept);
  else forget(true);
  begin(given, keeps && MAY_KEEP ? kept : undefined);
}

function begin({ token, service, portal }: Omit<Kept, 'id' | 'untilMs'>, kept: Kept | undefined): void {
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
  become({ kind: 'open', api, generation, service, portal, kept });
  endAtApi(before);
}

/** Signs in with what this tab has kept, else with what another one has. */
export function resume(): void {
  listenToTabs({
    kept: () => (session.kind === 'open' ? session.kept : undefined),
    signedOut: (id) => {
      if (session.kind !== 'none' && session.kept?.id === id) leave();
    },
  });
  const kept = whatIsKept();
  if (typeof kept === 'object') begin(kept, kept);
}

/** Signs in as another tab is, unless somebody has signed in, or out, in this one. */
export function takeFromTabs(): void {
  if (session.kind !== 'none' || whatIsKept() !== undefined) return;
  askTabs((kept) => {
    if (session.kind !== 'none') return;
    keep(kept);
    begin(kept, kept);
  });
}

/** @param ended the generation that ended: a later one stays */
export function endSession(ended: number, why: string): void {
  if (session.kind === 'open' && session.generation === ended) {
    forget(false);
    become({ ...session, kind: 'ended', why });
  }
}

/** In all tabs that took it from each other. */
export function signOut(): void {
  endAtApi(session);
  if (session.kind !== 'none' && session.kept !== undefined) tellSignedOut(session.kept.id);
  leave();
}

function leave(): void {
  forget(true);
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

/** Whether whoever signed in runs the stage: what partners wrote for themselves is withheld from them. */
export function useIsOfStage(): boolean {
  return useSignedIn().portal?.stage !== undefined;
}

/** Whether subscriptions may be created: not by whoever was let in to some. */
export function useMayCreate(): boolean {
  return useMayManage() && useSignedIn().portal?.subscriptions === undefined;
}

/** Whether what is on the screen may be changed, as far as is known beforehand. */
export function useMayManage(): boolean {
  return useSignedIn().portal?.rights !== 'read';
}
