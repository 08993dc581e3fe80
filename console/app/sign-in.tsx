import { useLayoutEffect, useState } from 'preact/hooks';
import { apiClient } from '../api/client.ts';
import { FailedRequestError, type Failure, failureOf } from '../api/failure.ts';
import { TEXT } from '../texts.ts';
import { FailureNotice } from '../view/failure-notice.tsx';
import { Field } from '../view/field.tsx';
import { Screen } from '../view/screen.tsx';
import { codeIn } from './route.ts';
import { type PortalSession, signIn } from './session.ts';

/** The first thing that anybody sees. A link from the portal needs nothing but to be opened. */
export function SignInScreen() {
  const [code, setCode] = useState(() => codeIn(location.hash));
  const [failure, fail] = useState<Failure>();
  useLayoutEffect(() => {
    if (code !== undefined) {
      // A code works once; it must not stay in the history of the browser.
      history.replaceState(null, '', '#/subscriptions');
      exchange(code).then(undefined, (error) => {
        fail(failureOf(error));
        setCode(undefined);
      });
    }
  }, [code]);
  useLayoutEffect(() => {
    const opened = () => setCode((before) => codeIn(location.hash) ?? before);
    addEventListener('hashchange', opened);
    return () => removeEventListener('hashchange', opened);
  }, []);
  return (
    <main class="sign-in">
      <Screen title={TEXT.signIn.title} name={TEXT.signIn.title}>
        {code === undefined ? (
          <>
            <p class="lead">{TEXT.signIn.lead}</p>
            <FailureNotice failure={asRefusal(failure)} what={TEXT.signIn.linkFailed} />
            <SignInForm />
            <h2>{TEXT.signIn.howTitle}</h2>
            <p>{TEXT.signIn.how}</p>
            <pre class="command">{TEXT.signIn.command}</pre>
          </>
        ) : (
          <p role="status">{TEXT.signIn.exchanging}</p>
        )}
      </Screen>
    </main>
  );
}

/** Takes a token of the API, or a link from the portal. Neither is kept anywhere but in memory. */
export function SignInForm() {
  const [typed, type] = useState('');
  const [failure, fail] = useState<Failure>();
  const [isUnderWay, begin] = useState(false);
  const refusal = failure?.kind === 'signed_out' ? failure.detail : undefined;
  return (
    <form
      onSubmit={async (event) => {
        event.preventDefault();
        begin(true);
        fail(undefined);
        await signInWith(typed.trim()).catch((error) => fail(failureOf(error)));
        begin(false);
      }}
    >
      <Field id="token" label={TEXT.signIn.label} hint={TEXT.signIn.hint} error={refusal}>
        {(described) => (
          <input
            {...described}
            type="password"
            autocomplete="off"
            spellcheck={false}
            required
            value={typed}
            onInput={(event) => type(event.currentTarget.value)}
          />
        )}
      </Field>
      <FailureNotice failure={failure} what={TEXT.signIn.failed} />
      <div class="actions">
        <button type="submit" class="main" disabled={isUnderWay}>
          {TEXT.signIn.submit}
        </button>
      </div>
    </form>
  );
}

/** @throws FailedRequestError */
async function signInWith(typed: string): Promise<void> {
  const code = typed.startsWith('phc_') ? typed : codeIn(typed.slice(Math.max(0, typed.indexOf('#'))));
  if (code !== undefined) {
    return exchange(code);
  }
  if (!/^[\x21-\x7e]+$/.test(typed)) {
    throw new FailedRequestError({ kind: 'signed_out', detail: TEXT.signIn.noToken });
  }
  await apiClient(typed).request('GET', '/subscriptions');
  signIn(typed);
}

/** @throws FailedRequestError */
async function exchange(code: string): Promise<void> {
  const path = code.startsWith('phc_stage_') ? '/stage/sessions/exchange' : '/portal-sessions/exchange';
  const { body } = await apiClient(undefined).request<PortalSession>('POST', path, { body: { code } });
  const { token, ...portal } = body;
  signIn(token, portal.stage ? { ...portal, rights: 'read' } : portal);
}

/** Nobody has signed in yet, so that this one is worth saying here too. */
function asRefusal(failure: Failure | undefined): Failure | undefined {
  return failure?.kind === 'signed_out'
    ? {
        kind: 'refused',
        status: 401,
        problem: {
          type: 'urn:payhooks:problem:unauthorized',
          title: '',
          status: 401,
          detail: failure.detail,
        },
      }
    : failure;
}
