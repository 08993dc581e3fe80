import { TEXT } from '../../texts.ts';
import { FieldError } from '../../view/field.tsx';
import { visible } from '../../words/visible.ts';
import { choosableTypes } from './draft.ts';
import type { FormPart } from './form-part.ts';

/** @param known the types that the subscription has already */
export function EventTypesField({
  draft,
  change,
  errorOf,
  known,
}: FormPart & { readonly known: readonly string[] }) {
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
          {choosableTypes(known).map((type) => (
            <label key={type} class="choice">
              <input
                type="checkbox"
                checked={chosen.includes(type)}
                onChange={(event) =>
                  change({
                    event_types: event.currentTarget.checked
                      ? [...chosen, type]
                      : chosen.filter((other) => other !== type),
                  })
                }
              />
              <span>
                <code>{visible(type)}</code>{' '}
                <span class="soft">
                  {TEXT.eventType[type as keyof typeof TEXT.eventType] ?? TEXT.form.prefix}
                </span>
              </span>
            </label>
          ))}
        </div>
      )}
      <FieldError id="event_types" error={error} />
    </fieldset>
  );
}
