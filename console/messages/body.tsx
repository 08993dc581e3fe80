import { useMemo, useState } from 'preact/hooks';
import type { MessageView } from '../../functions/core/message/message-view.ts';
import { useIsOfStage } from '../app/session.ts';
import { TEXT } from '../texts.ts';
import { CopyButton } from '../view/copy-button.tsx';
import { LongText } from '../view/long-text.tsx';
import { Moment } from '../view/moment.tsx';
import { Outside } from '../view/outside.tsx';
import { bytes } from '../words/numbers.ts';
import { visible } from '../words/visible.ts';
import { laidOut } from './json-layout.ts';

/** More is shown on request: whoever looks at a message seldom reads all of a quarter megabyte. */
const SHOWN_AT_FIRST = 8_000;

export function Body({ message: { body, body_erased_at, fields } }: { readonly message: MessageView }) {
  const isOfStage = useIsOfStage();
  const [isAsSent, setIsAsSent] = useState(false);
  const [isWhole, setIsWhole] = useState(false);
  const text = useMemo(
    () => (body === undefined ? '' : visible(isAsSent ? body : laidOut(body))),
    [body, isAsSent],
  );
  if (body === undefined) {
    return (
      <section>
        <h2>{TEXT.body.title}</h2>
        <p class="soft">
          {body_erased_at === undefined ? (
            isOfStage ? (
              TEXT.withheld.body
            ) : (
              TEXT.body.gone
            )
          ) : (
            <>
              {TEXT.body.erased} <Moment at={body_erased_at} />.
            </>
          )}
        </p>
      </section>
    );
  }
  return (
    <section>
      <h2>{TEXT.body.title}</h2>
      {fields && (
        <p class="soft">
          {TEXT.body.only} <Outside text={fields.join(', ')} />
        </p>
      )}
      <div class="actions">
        <span class="soft">{bytes(new TextEncoder().encode(body).length)}</span>
        <label class="choice">
          <input
            type="checkbox"
            checked={isAsSent}
            onChange={(event) => setIsAsSent(event.currentTarget.checked)}
          />
          {TEXT.body.asSent}
        </label>
        <CopyButton text={() => body} label={TEXT.body.copy} />
      </div>
      <LongText name={TEXT.body.title} text={isWhole ? text : text.slice(0, SHOWN_AT_FIRST)} />
      {!isWhole && text.length > SHOWN_AT_FIRST && (
        <button type="button" onClick={() => setIsWhole(true)}>
          {TEXT.body.whole(bytes(text.length))}
        </button>
      )}
    </section>
  );
}
