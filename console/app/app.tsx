import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { forgetEverything } from '../api/live.ts';
import { TEXT } from '../texts.ts';
import { Dialog } from '../view/dialog.tsx';
import { Header } from './header.tsx';
import { codeIn, serviceIn } from './route.ts';
import { Screens } from './screens.tsx';
import { endSession, SignedInProvider, type SignedInSession, signOut, useSession } from './session.ts';
import { SignInForm, SignInScreen } from './sign-in.tsx';
import { useRoute } from './use-route.ts';

export function App() {
  const session = useSession();
  const isSignedIn = session.kind !== 'none';
  useEffect(() => (isSignedIn ? forgetEverything : undefined), [isSignedIn]);
  useLayoutEffect(() => {
    // A new link counts, whoever has signed in before.
    const opened = () => codeIn(location.hash) !== undefined && signOut();
    addEventListener('hashchange', opened);
    return () => removeEventListener('hashchange', opened);
  }, []);
  return session.kind === 'none' ? <SignInScreen /> : <SignedIn session={session} />;
}

function SignedIn({ session }: { readonly session: SignedInSession }) {
  useEnd(session);
  const services = useServices(session);
  return (
    <SignedInProvider value={session}>
      {/* A link would take the address away from the screen that is shown. */}
      <button type="button" class="skip" onClick={() => document.getElementById('content')?.focus()}>
        {TEXT.skip}
      </button>
      <Header />
      <main id="content" tabIndex={-1}>
        <Screens key={services} />
      </main>
      {session.kind === 'ended' && (
        <Dialog title={TEXT.signIn.endedTitle} close={undefined}>
          <p>{TEXT.signIn.ended}</p>
          <SignInForm />
        </Dialog>
      )}
    </SignedInProvider>
  );
}

/**
 * Changes when another service's session begins. A token does not tell its service: whoever signs in again
 * with one finds what was typed.
 */
function useServices({ portal }: SignedInSession): number {
  useRoute();
  const seen = useRef<{ service: string | undefined; count: number }>({ service: undefined, count: 0 });
  const service = portal?.stage
    ? `stage ${serviceIn(location.hash)}`
    : (portal?.service_id ?? seen.current.service);
  if (service !== seen.current.service) {
    const isOther = seen.current.service !== undefined;
    // What was read of another service must not be shown as this one's.
    if (isOther) forgetEverything();
    seen.current = { service, count: seen.current.count + (isOther ? 1 : 0) };
  }
  return seen.current.count;
}

/** Ends the session when its time is over, even if nothing is asked then. */
function useEnd({ generation, portal }: SignedInSession): void {
  const expiresAt = portal?.expires_at;
  useEffect(() => {
    if (expiresAt === undefined) return undefined;
    const timer = setTimeout(
      () => endSession(generation, TEXT.signIn.ended),
      Math.max(0, Date.parse(expiresAt) - Date.now()),
    );
    return () => clearTimeout(timer);
  }, [generation, expiresAt]);
}
