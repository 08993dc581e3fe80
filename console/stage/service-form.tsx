import { useState } from 'preact/hooks';
import { hrefOf } from '../app/route.ts';
import { TEXT } from '../texts.ts';
import { Field } from '../view/field.tsx';

/** Leads to the subscriptions of any service. */
export function ServiceForm() {
  const [service, type] = useState('');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        location.hash = hrefOf({ screen: 'subscriptions' }, service.trim());
      }}
    >
      <Field id="service" label={TEXT.stage.service}>
        {(described) => (
          <input
            {...described}
            required
            spellcheck={false}
            value={service}
            onInput={(event) => type(event.currentTarget.value)}
          />
        )}
      </Field>
      <button type="submit">{TEXT.stage.goTo}</button>
    </form>
  );
}
