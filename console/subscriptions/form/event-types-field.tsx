import { Fragment } from 'preact';
import { useEventTypes } from '../../api/event-types.ts';
import { TEXT } from '../../texts.ts';
import { FailureNotice } from '../../view/failure-notice.tsx';
import { FieldError } from '../../view/field.tsx';
import { visible } from '../../words/visible.ts';
import { choicesOf } from './draft.ts';
import type { FormPart } from './form-part.ts';

/** @param known the types that the subscription has already */
export function EventTypesField({
  draft,
  change,
  errorOf,
  known,
}: FormPart & { readonly known: readonly string[] }) {
  const { types, failure } = useEventTypes();
  const chosen = draft.event_types;
  const isAll = chosen.includes('*');
  const error = errorOf('event_types');
  return (
    <fieldset
      class={error ? 'field invalid' : 'field'}
      {...(error ? { 'aria-describedby': 'event_types-error' } : {})}
    >
      <legend>{TEXT.settings.event_types}</legend>
      <label class="choice">
        <input type="radio" name="types" checked={isAll} onChange={() => change({ event_types: ['*'] })} />
        {TEXT.form.allTypes}
      </label>
      <label class="choice">
        <input
          type="radio"
          name="types"
          checked={!isAll}
          onChange={() => change({ event_types: known.filter((type) => type !== '*') })}
        />
        {TEXT.form.someTypes}
      </label>
      {!isAll && (
        <div class="choices">
          <FailureNotice failure={failure} what={TEXT.form.typesNotRead} />
          {choicesOf(types, known).map(({ pattern, text, group }, index, all) => (
            <Fragment key={pattern}>
              {group !== undefined && group !== all[index - 1]?.group && <p class="soft">{visible(group)}</p>}
              <label class="choice">
                <input
                  type="checkbox"
                  checked={chosen.includes(pattern)}
                  onChange={(event) =>
                    change({
                      event_types: event.currentTarget.checked
                        ? [...chosen, pattern]
                        : chosen.filter((other) => other !== pattern),
                    })
                  }
                />
                <span>
                  <code>{visible(pattern)}</code> <span class="soft">{visible(text)}</span>
                </span>
              </label>
            </Fragment>
          ))}
        </div>
      )}
      <FieldError id="event_types" error={error} />
    </fieldset>
  );
}
