import { useRef } from 'preact/hooks';
import { useWhileTyping } from '../../api/while-typing.ts';
import { TEXT } from '../../texts.ts';
import { visible } from '../../words/visible.ts';

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
  const wanted = `${live} ${url.trim()}`;
  // What a form opens with is stored already.
  const opened = useRef(wanted);
  const isAsked = url.trim() !== '' && wanted !== opened.current;
  const { body, isCurrent } = useWhileTyping<Verdict>(
    '/url-checks',
    isAsked ? { callback_url: url.trim(), live } : undefined,
  );
  const verdict = isCurrent ? body : undefined;
  const said = verdict && (verdict.verdict === 'allowed' ? TEXT.form.urlAllowed : verdict.reason);
  return (
    <p class={`verdict ${verdict?.verdict ?? ''}`} aria-live="polite">
      {said === undefined || said === error ? '' : visible(said)}
    </p>
  );
}
