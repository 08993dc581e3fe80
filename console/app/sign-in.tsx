import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { type Failure, failureOf } from '../api/failure.ts';
import { TEXT } from '../texts.ts';
import { FailureNotice } from '../view/failure-notice.tsx';
import { TextField } from '../view/field.tsx';
import { Screen } from '../view/screen.tsx';
import { signInWith } from './credentials.ts';
import { MAY_KEEP } from './kept.ts';
import type { Link } from './link.ts';

/** The first thing that anybody sees. A link from the portal needs nothing but to be opened. */
export function SignInScreen({ link }: { readonly link: Link }) {
  return (
    <main class="sign-in">
      <Screen title={TEXT.signIn.title} name={TEXT.signIn.title}>
        {link.isUnderWay ? (
          <p role="status">{TEXT.signIn.exchanging}</p>
        ) : (
          <>
            <p class="lead">{TEXT.signIn.lead}</p>
            <LinkNotice link={link} />
            <SignInForm link={link} />
            <h2>{TEXT.signIn.howTitle}</h2>
            <p>{TEXT.signIn.how}</p>
            <p>{TEXT.signIn.orToken}</p>
          </>
        )}
      </Screen>
    </main>
  );
}

/** Why a link has signed nobody in. While that may pass, it can be tried again: nobody has used it up. */
export function LinkNotice({ link: { failure, again } }: { readonly link: Link }) {
  return (
    <FailureNotice
      failure={asRefusal(failure)}
      what={again ? TEXT.signIn.failed : TEXT.signIn.linkFailed}
      {...(again ? { again } : {})}
    />
  );
}

interface SignInFormProps {
  /** One that was opened and did not work: whoever signs in otherwise need not read of it any more. */
  readonly link: Link;
  /** Beside the button that signs in. */
  readonly beside?: ComponentChildren;
}

/** Takes a token of the API, or a link from the portal. */
export function SignInForm({ link, beside }: SignInFormProps) {
  const [typed, setTyped] = useState('');
  const [keeps, setKeeps] = useState(MAY_KEEP);
  const [failure, setFailure] = useState<Failure>();
  const [isUnderWay, setIsUnderWay] = useState(false);
  const refusal = failure?.kind === 'signed_out' ? failure.detail : undefined;
  return (
    <form
      onSubmit={async (event) => {
        event.preventDefault();
        if (isUnderWay) return;
        setIsUnderWay(true);
        setFailure(undefined);
        if (link.failure && !link.again) link.forget();
        await signInWith(typed.trim(), keeps).then(link.forget, (error) => setFailure(failureOf(error)));
        setIsUnderWay(false);
      }}
    >
      <TextField
        id="token"
        label={TEXT.signIn.label}
        hint={MAY_KEEP ? undefined : TEXT.signIn.forgets}
        error={refusal}
        type="password"
        required
        value={typed}
        typed={setTyped}
      />
      {MAY_KEEP && (
        <div class="field">
          <label class="choice">
            <input
              type="checkbox"
              aria-describedby="keeps-hint"
              checked={keeps}
              onChange={(event) => setKeeps(event.currentTarget.checked)}
            />
            {TEXT.signIn.keeps}
          </label>
          <p class="hint" id="keeps-hint">
            {TEXT.signIn.keepsHint}
          </p>
        </div>
      )}
      <FailureNotice failure={failure} what={TEXT.signIn.failed} />
      <div class="actions">
        <button type="submit" class="main" aria-disabled={isUnderWay}>
          {TEXT.signIn.submit}
        </button>
        {beside}
      </div>
    </form>
  );
}

/** Nobody has signed in with it yet, so that this one is worth saying too. */
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
