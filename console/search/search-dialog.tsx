import { useState } from 'preact/hooks';
import { useLive } from '../api/live.ts';
import { known } from '../api/queries.ts';
import { hrefOf, serviceIn } from '../app/route.ts';
import { useIsOfStage } from '../app/session.ts';
import type { Troubled } from '../stage/sentences.ts';
import { LIMITS, troubledPath } from '../stage/troubled-path.ts';
import type { Subscriptions } from '../subscriptions/subscription.ts';
import { TEXT } from '../texts.ts';
import { Dialog } from '../view/dialog.tsx';
import { TextField } from '../view/field.tsx';
import { foundBy, type Hit } from './found.ts';

/** Leads from every screen to a payment, message or subscription. */
export function SearchDialog({ close }: { readonly close: () => void }) {
  const [typed, setTyped] = useState('');
  const isOfWholeStage = useIsOfStage() && serviceIn(location.hash) === undefined;
  const { data, failure } = useLive<Subscriptions>(isOfWholeStage ? undefined : '/subscriptions');
  const endpoints = isOfWholeStage
    ? (known<Troubled>(troubledPath(LIMITS.first))?.endpoints ?? [])
    : undefined;
  // Until they are known, only an id that says what it is of leads somewhere.
  const isReading = !isOfWholeStage && data === undefined && failure === undefined;
  const hits =
    isReading && !/^\s*(msg|pay|sub)_/.test(typed)
      ? []
      : foundBy(typed, { ...data, ...(endpoints === undefined ? {} : { endpoints }) });
  return (
    <Dialog title={TEXT.search.title} close={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const [first] = hits;
          if (first === undefined) return;
          close();
          location.hash = hrefTo(first);
        }}
      >
        <TextField
          id="search"
          label={TEXT.search.label}
          hint={isOfWholeStage ? TEXT.search.ofStage : TEXT.search.hint}
          type="search"
          value={typed}
          typed={setTyped}
        />
      </form>
      <ul class="hits" aria-live="polite">
        {hits.map((hit, index) => (
          <li key={`${hit.what} ${hit.name}`}>
            <a href={hrefTo(hit)} onClick={close}>
              <span class="soft">{hit.what}</span> <bdi>{hit.name}</bdi>
            </a>{' '}
            <span class="soft">
              <bdi>{hit.more}</bdi> {index === 0 && TEXT.search.enter}
            </span>
          </li>
        ))}
        {typed.trim() !== '' && hits.length === 0 && (
          <li class="soft">{isReading ? TEXT.loading : TEXT.search.none}</li>
        )}
      </ul>
      <div class="actions">
        <button type="button" onClick={close}>
          {TEXT.close}
        </button>
      </div>
    </Dialog>
  );
}

function hrefTo({ to, service }: Hit): string {
  return service === undefined ? hrefOf(to) : hrefOf(to, service);
}
