import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { RecoveryView } from '../../functions/core/message/recovery-view.ts';
import { useChange } from '../api/change.ts';
import { namesWith, useEventTypes } from '../api/event-types.ts';
import { errorAt, fieldErrors, problemKind } from '../api/failure.ts';
import { type MessageFilter, queryOf } from '../app/route.ts';
import { replace } from '../app/use-route.ts';
import { subscriptionPath } from '../subscriptions/subscription.ts';
import { TEXT } from '../texts.ts';
import { FailureNotice } from '../view/failure-notice.tsx';
import { InstantField, SelectField } from '../view/field.tsx';
import { LinesField } from '../view/lines-field.tsx';
import { filterIn } from '../words/filter-text.ts';
import { FoundMessages } from './found-messages.tsx';
import { filterOf, requestOf, type Selection, selectionIn } from './selection.ts';
import { useFound } from './use-found.ts';

const STATES = ['failed', 'exhausted', 'cancelled', 'succeeded', 'all'] as const;

interface ChooseProps {
  readonly id: string;
  /** What the address says. */
  readonly filter: MessageFilter | undefined;
  /** @param expected how many messages it will send again, if all were counted */
  readonly started: (recoveryId: string, expected?: number) => void;
}

/** What to send again; how many that is; and only then the button that does it. */
export function Choose({ id, filter = {}, started }: ChooseProps) {
  const [chosen, setChosen] = useState(() => selectionIn(filter, Date.now()));
  const { isLooking, found, failure, look, forget } = useFound(id);
  const start = useChange<RecoveryView>();
  const eventTypes = useEventTypes();
  const errors = { ...fieldErrors(failure), ...fieldErrors(start.failure) };
  const { fault } = filterIn(chosen.filter);
  const addressed = queryOf(filter);
  const own = useRef(addressed);
  const show = (selection: Selection) => {
    setChosen(selection);
    forget();
    start.forget();
  };
  const change = (changed: Partial<Selection>) => {
    const selection = { ...chosen, ...changed };
    show(selection);
    own.current = queryOf(filterOf(selection));
    replace({ screen: 'recover', id, filter: filterOf(selection) });
  };
  useLayoutEffect(() => {
    // Another address, not the one that follows what is chosen here.
    if (own.current !== addressed) show(selectionIn(filter, Date.now()));
    own.current = addressed;
  }, [addressed]);
  const running = problemKind(start.failure) === 'recovery-running' && runningIn(start.failure);
  return (
    <>
      <form
        class="filters"
        onSubmit={(event) => {
          event.preventDefault();
          if (fault === undefined) look({ ...chosen, until: chosen.until || new Date().toISOString() });
        }}
      >
        {(['since', 'until'] as const).map((bound) => (
          <InstantField
            key={bound}
            id={bound}
            label={TEXT.recover[bound]}
            error={errors[bound]}
            required={bound === 'since'}
            value={chosen[bound]}
            chosen={(instant) => change({ [bound]: instant })}
          />
        ))}
        <SelectField
          id="what"
          label={TEXT.recover.what}
          value={chosen.state}
          options={STATES}
          textOf={(state) => TEXT.recover.states[state]}
          chosen={(state) => change({ state })}
        />
        <SelectField
          id="type"
          label={TEXT.messages.type}
          value={chosen.eventType}
          options={['', ...namesWith(eventTypes, chosen.eventType)]}
          textOf={(type) => type || TEXT.messages.any}
          chosen={(eventType) => change({ eventType })}
        />
        <LinesField
          id="payments"
          label={TEXT.recover.payments}
          hint={TEXT.recover.paymentsHint}
          error={errorAt('payment_ids', errors)}
          value={chosen.payments}
          typed={(payments) => change({ payments })}
        />
        <LinesField
          id="filter"
          label={TEXT.recover.filter}
          hint={TEXT.recover.filterHint}
          error={fault ?? errorAt('filter', errors)}
          value={chosen.filter}
          typed={(filter) => change({ filter })}
        />
        <div class="actions">
          <button type="submit" class={found ? '' : 'main'} aria-disabled={isLooking}>
            {isLooking ? TEXT.recover.looking : TEXT.recover.look}
          </button>
        </div>
      </form>
      <FailureNotice failure={failure} what={TEXT.recover.notCounted} />
      {found && (
        <FoundMessages found={found} subscriptionId={id}>
          <FailureNotice failure={start.failure} what={TEXT.recover.notStarted} />
          {running ? (
            <button type="button" onClick={() => started(running)}>
              {TEXT.recover.follow}
            </button>
          ) : (
            <button
              type="button"
              class="main"
              aria-disabled={start.isUnderWay}
              onClick={async () => {
                const path = `${subscriptionPath(id)}/recoveries`;
                const answer = await start.send({ method: 'POST', path, body: requestOf(found.selection) });
                if (answer) {
                  started(answer.body.recovery_id, found.isMore ? undefined : found.count);
                }
              }}
            >
              {TEXT.recover.start}
            </button>
          )}
        </FoundMessages>
      )}
    </>
  );
}

/** The API names the recovery that is running. */
function runningIn(failure: ReturnType<typeof useChange>['failure']): string | undefined {
  return failure?.kind === 'refused' ? (failure.problem as { recovery_id?: string }).recovery_id : undefined;
}
