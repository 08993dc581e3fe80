import { useEffect, useRef, useState } from 'preact/hooks';
import { useSignedIn } from '../../app/session.ts';
import { TEXT } from '../../texts.ts';
import { visible } from '../../words/visible.ts';

/** Longer than between two keys. */
const PAUSE_MS = 500;

type Verdict = { readonly verdict: 'allowed' } | { readonly verdict: 'refused'; readonly reason: string };

interface UrlVerdictProps {
  readonly url: string;
  readonly live: boolean;
  /** What the field says already. */
  readonly error: string | undefined;
}

/**
 * What saving would say of a URL, told after a pause in typing. Without an answer, or with a late one, it
 * says nothing: the API decides when the form is sent.
 */
export function UrlVerdict({ url, live, error }: UrlVerdictProps) {
  const { api } = useSignedIn();
  const [checked, setChecked] = useState<{ readonly of: string; readonly what: Verdict }>();
  const wanted = `${live} ${url.trim()}`;
  // What a form opens with is stored already.
  const opened = useRef(wanted);
  useEffect(() => {
    if (url.trim() === '' || wanted === opened.current) return undefined;
    const abort = new AbortController();
    const timer = setTimeout(() => {
      const body = { callback_url: url.trim(), live };
      api.request<Verdict>('POST', '/url-checks', { body, signal: abort.signal }).then(
        (answer) => abort.signal.aborted || setChecked({ of: wanted, what: answer.body }),
        () => {},
      );
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [wanted]);
  const verdict = checked?.of === wanted ? checked.what : undefined;
  const said = verdict && (verdict.verdict === 'allowed' ? TEXT.form.urlAllowed : verdict.reason);
  return (
    <p class={`verdict ${verdict?.verdict ?? ''}`} aria-live="polite">
      {said === undefined || said === error ? '' : visible(said)}
    </p>
  );
}
