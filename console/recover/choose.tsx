import { useState } from 'preact/hooks';
import { PUBLIC_EVENT_TYPES } from '../../functions/core/event/event-types.ts';
import type { RecoveryView } from '../../functions/core/message/recovery-view.ts';
import { useChange } from '../api/change.ts';
import { fieldErrors, problemKind } from '../api/failure.ts';
import { subscriptionPath } from '../subscriptions/subscription.ts';
import { TEXT } from '../texts.ts';
import { FailureNotice } from '../view/failure-notice.tsx';
import { Field } from '../view/field.tsx';
import { inputOfInstant, instantOfInput } from '../words/time.ts';
import { FoundMessages } from './found-messages.tsx';
import { requestOf, type Selection } from './selection.ts';
import { useFound } from './use-found.ts';

const DAY_MS = 86_400_000;
const STATES = ['failed', 'exhausted', 'cancelled'] as const;

interface ChooseProps {
  readonly id: string;
  /** @param expected how many messages it will send again, if all were counted */
  readonly started: (recoveryId: string, expected?: number) => void;
}

/** What to send again; how many that is; and only then the button that does it. */
export function Choose({ id, started }: ChooseProps) {
  const [typed, type] = useState({
    since: inputOfInstant(new Date(Date.now() - DAY_MS).toISOString()),
    until: '',
    state: 'failed' as Selection['state'],
    eventType: '',
  });
  const { isLooking, found, failure, look, forget } = useFound(id);
  const start = useChange<RecoveryView>();
  const errors = { ...fieldErrors(failure), ...fieldErrors(start.failure) };
  const change = (changed: Partial<typeof typed>) => {
    type({ ...typed, ...changed });
    forget();
    start.forget();
  };
  const running = problemKind(start.failure) === 'recovery-running' && runningIn(start.failure);
  return (
    <>
      <form
        class="filters"
        onSubmit={(event) => {
          event.preventDefault();
          look({
            since: instantOfInput(typed.since) ?? '',
            until: instantOfInput(typed.until) ?? new Date().toISOString(),
            state: typed.state,
            eventType: typed.eventType,
          });
        }}
      >
        {(['since', 'until'] as const).map((bound) => (
          <Field key={bound} id={bound} label={TEXT.recover[bound]} error={errors[bound]}>
            {(described) => (
              <input
                {...described}
                type="datetime-local"
                step={1}
                required={bound === 'since'}
                value={typed[bound]}
                onInput={(event) => change({ [bound]: event.currentTarget.value })}
              />
            )}
          </Field>
        ))}
        <Field id="what" label={TEXT.recover.what}>
          {(described) => (
            <select
              {...described}
              value={typed.state}
              onChange={(event) => change({ state: event.currentTarget.value as Selection['state'] })}
            >
              {STATES.map((state) => (
                <option key={state} value={state}>
                  {TEXT.recover.states[state]}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field id="type" label={TEXT.messages.type}>
          {(described) => (
            <select
              {...described}
              value={typed.eventType}
              onChange={(event) => change({ eventType: event.currentTarget.value })}
            >
              <option value="">{TEXT.messages.any}</option>
              {PUBLIC_EVENT_TYPES.map((one) => (
                <option key={one} value={one}>
                  {one}
                </option>
              ))}
            </select>
          )}
        </Field>
        <div class="actions">
          <button type="submit" class={found ? '' : 'main'} disabled={isLooking}>
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
              disabled={start.isUnderWay}
              onClick={async () => {
                const path = `${subscriptionPath(id)}/recoveries`;
                const answer = await start.send({ method: 'POST', path, body: requestOf(found.selection) });
                if (answer) {
                  started(answer.body.recovery_id, found.isMore ? undefined : found.messages.length);
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
