import { useEffect, useState } from 'preact/hooks';
import { PING, sampleType } from '../../functions/core/catalogue/ping-names.ts';
import { type EventTypes, namesWith, useEventTypes } from '../api/event-types.ts';
import { type Failure, fieldErrors } from '../api/failure.ts';
import type { MessageFilter } from '../app/route.ts';
import { amend } from '../app/use-route.ts';
import { TEXT } from '../texts.ts';
import { InstantField, SelectField, TextField } from '../view/field.tsx';

const STATES = ['', 'retrying', 'parked', 'succeeded', 'exhausted', 'cancelled'] as const;
/** Whoever types has paused. */
const PAUSE_MS = 400;

interface FiltersProps {
  readonly filter: MessageFilter;
  readonly failure: Failure | undefined;
}

/** What the list is narrowed to. It is part of the address, so that it can be sent to somebody. */
export function Filters({ filter, failure }: FiltersProps) {
  const errors = fieldErrors(failure);
  const eventTypes = useEventTypes();
  const narrow = (changed: MessageFilter) =>
    amend('messages', ({ screen, id, filter: now }) => ({ screen, id, filter: { ...now, ...changed } }));
  const [typed, setTyped] = useState<string>();
  useEffect(() => {
    if (typed === undefined) return undefined;
    const timer = setTimeout(() => {
      setTyped(undefined);
      narrow({ payment_id: typed.trim() });
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  useEffect(() => setTyped(undefined), [filter.payment_id]);
  return (
    <form class="filters" aria-label={TEXT.messages.filters} onSubmit={(event) => event.preventDefault()}>
      <SelectField
        id="state"
        label={TEXT.messages.state}
        value={(filter.state ?? '') as (typeof STATES)[number]}
        options={STATES}
        textOf={(state) => (state === '' ? TEXT.messages.any : TEXT.messageState[state])}
        chosen={(state) => narrow({ state })}
      />
      <SelectField
        id="type"
        label={TEXT.messages.type}
        value={filter.event_type ?? ''}
        options={['', ...optionsOf(eventTypes, filter.event_type ?? '')]}
        textOf={(type) => type || TEXT.messages.any}
        chosen={(event_type) => narrow({ event_type })}
      />
      <TextField
        id="payment"
        label={TEXT.messages.payment}
        error={errors.payment_id}
        value={typed ?? filter.payment_id ?? ''}
        typed={setTyped}
      />
      {(['since', 'until'] as const).map((bound) => (
        <InstantField
          key={bound}
          id={bound}
          label={TEXT.messages[bound]}
          error={errors[bound]}
          value={filter[bound]}
          chosen={(instant) => narrow({ [bound]: instant })}
        />
      ))}
    </form>
  );
}

function optionsOf({ types, ...rest }: EventTypes, chosen: string): readonly string[] {
  const pings = [PING, ...types.map(({ event_type }) => sampleType(event_type))];
  return [...namesWith({ types, ...rest }, pings.includes(chosen) ? '' : chosen), ...pings];
}
