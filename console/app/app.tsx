import type { ComponentChildren } from 'preact';
import { useEffect, useErrorBoundary, useLayoutEffect, useRef } from 'preact/hooks';
import { forgetAll, readAgain } from '../api/queries.ts';
import { TEXT } from '../texts.ts';
import { Dialog } from '../view/dialog.tsx';
import { visible } from '../words/visible.ts';
import { Header } from './header.tsx';
import { type Link, useLink } from './link.ts';
import { serviceIn } from './route.ts';
import { Screens } from './screens.tsx';
import { endSession, SignedInProvider, type SignedInSession, signOut, useSession } from './session.ts';
import { LinkNotice, SignInForm, SignInScreen } from './sign-in.tsx';
import { useRoute } from './use-route.ts';

interface NeverBlankProps {
  /** Where one is: whoever goes elsewhere gets what is there. */
  readonly place?: string;
  readonly children: ComponentChildren;
}

/** What is within, or that it cannot be shown: a mistake of ours must not leave an empty page. */
function NeverBlank({ place, children }: NeverBlankProps) {
  const [error, resetError] = useErrorBoundary();
  useLayoutEffect(() => {
    if (error !== undefined) resetError();
  }, [place]);
  if (error === undefined) return <>{children}</>;
  return (
    <div class="notice bad" role="alert">
      <p>
        <strong>{TEXT.broken.title}.</strong> {TEXT.broken.text}
      </p>
      <p>
        <code>{visible(String(error))}</code>
      </p>
      <button type="button" onClick={resetError}>
        {TEXT.failure.again}
      </button>
    </div>
  );
}

export function App() {
  const session = useSession();
  const link = useLink();
  const isSignedIn = session.kind !== 'none';
  useEffect(() => (isSignedIn ? forgetAll : undefined), [isSignedIn]);
  return (
    <NeverBlank>
      {session.kind === 'none' ? <SignInScreen link={link} /> : <SignedIn session={session} link={link} />}
    </NeverBlank>
  );
}

function SignedIn({ session, link }: { readonly session: SignedInSession; readonly link: Link }) {
  useEnd(session);
  // What was asked with an earlier token is asked again. Before any answer: at first, all is under way.
  useLayoutEffect(readAgain, [session.generation]);
  const services = useServices(session);
  useRoute();
  return (
    <SignedInProvider value={session}>
      {/* A link would take the address away from the screen that is shown. */}
      <button type="button" class="skip" onClick={() => document.getElementById('content')?.focus()}>
        {TEXT.skip}
      </button>
      <Header />
      <main id="content" tabIndex={-1}>
        <NeverBlank place={location.hash}>
          <Screens key={services} />
        </NeverBlank>
      </main>
      {session.kind === 'ended' ? (
        <Dialog title={TEXT.signIn.endedTitle} close={undefined}>
          <LinkNotice link={link} />
          <p>{TEXT.signIn.ended}</p>
          <SignInForm
            link={link}
            beside={
              <button type="button" onClick={signOut}>
                {TEXT.session.signOut}
              </button>
            }
          />
        </Dialog>
      ) : (
        link.failure && (
          <Dialog title={TEXT.signIn.newLink} close={link.forget}>
            <LinkNotice link={link} />
            <div class="actions">
              <button type="button" onClick={link.forget}>
                {TEXT.close}
              </button>
            </div>
          </Dialog>
        )
      )}
    </SignedInProvider>
  );
}

/**
 * Changes when a session of another service, or for other subscriptions, begins: nothing typed or read moves
 * from one to another.
 */
function useServices({ portal, service }: SignedInSession): number {
  const seen = useRef<{ whose: string | undefined; count: number }>({ whose: undefined, count: 0 });
  const whose = portal?.stage
    ? `stage ${serviceIn(location.hash)}`
    : `service ${service} ${portal?.subscriptions ?? ''}`;
  if (whose !== seen.current.whose) {
    const isOther = seen.current.whose !== undefined;
    if (isOther) forgetAll();
    seen.current = { whose, count: seen.current.count + (isOther ? 1 : 0) };
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
