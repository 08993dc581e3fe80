import { useState } from 'preact/hooks';
import { hrefOf } from '../app/route.ts';
import { TEXT } from '../texts.ts';
import { TextField } from '../view/field.tsx';

/** Leads to the subscriptions of any service. */
export function ServiceForm() {
  const [service, setService] = useState('');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        location.hash = hrefOf({ screen: 'subscriptions' }, service.trim());
      }}
    >
      <TextField id="service" label={TEXT.stage.service} required value={service} typed={setService} />
      <button type="submit">{TEXT.stage.goTo}</button>
    </form>
  );
}
