import { useEffect, useState } from 'preact/hooks';
import type { SubscriptionView } from '../../../functions/core/subscription/subscription-view.ts';
import { TEXT } from '../../texts.ts';
import { CopyButton } from '../../view/copy-button.tsx';
import { SelectField } from '../../view/field.tsx';
import { LongText } from '../../view/long-text.tsx';

/** Programs that are served beside the guides: all but the last verify, the last sends what they verify. */
const PROGRAMS = [
  ['Node', 'verify.mjs', '//'],
  ['Python', 'verify.py', '#'],
  ['Java', 'Verify.java', '//'],
  ['Go', 'nethttp.go', '//'],
  ['Shell, to try them', 'post.sh', '#'],
] as const;

type Program = (typeof PROGRAMS)[number];

/** How a receiver verifies, with the values of this subscription. */
export function Verify({ subscription }: { readonly subscription: SubscriptionView }) {
  const [chosen, setChosen] = useState<Program>(PROGRAMS[0]);
  const [loaded, setLoaded] = useState<{ readonly file: string; readonly text: string | undefined }>();
  const [, file, comment] = chosen;
  useEffect(() => {
    const asked = new AbortController();
    fetch(`docs/${file}`, { signal: asked.signal })
      .then((answer) => (answer.ok ? answer.text() : undefined))
      .catch(() => undefined)
      .then((text) => asked.signal.aborted || setLoaded({ file, text }));
    return () => asked.abort();
  }, [file]);
  const text = loaded?.file === file ? loaded.text : '';
  const program = text && `${valuesOf(subscription, comment)}\n${text}`;
  return (
    <section>
      <h2>{TEXT.verify.title}</h2>
      <SelectField
        id="language"
        label={TEXT.verify.language}
        value={chosen[0]}
        options={PROGRAMS.map(([language]) => language)}
        chosen={(language) => setChosen(PROGRAMS.find(([name]) => name === language) ?? PROGRAMS[0])}
      />
      {text === undefined ? (
        <p class="soft">{TEXT.verify.notLoaded}</p>
      ) : (
        <LongText name={TEXT.verify.program} text={program ?? ''} />
      )}
      <p>
        <CopyButton text={() => program ?? ''} label={TEXT.verify.copy} />{' '}
        <a href="docs/receiving.html" target="_blank" rel="noreferrer">
          {TEXT.verify.guide}
        </a>
      </p>
    </section>
  );
}

function valuesOf({ subscription_id, callback_url, signing_secrets }: SubscriptionView, comment: string) {
  return [
    `${subscription_id}: ${callback_url}`,
    ...signing_secrets.map(({ secret_id, public_key }) => TEXT.verify.values(secret_id, public_key)),
  ]
    .map((line) => `${comment} ${line}`)
    .join('\n');
}
