import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { errorAt, type Failure, fieldErrors } from '../../api/failure.ts';
import { TEXT } from '../../texts.ts';
import { FailureNotice } from '../../view/failure-notice.tsx';
import { TextField } from '../../view/field.tsx';
import { type Draft, errorsIn, PLACED } from './draft.ts';
import { EventTypesField } from './event-types-field.tsx';
import { FilterFields } from './filter-fields.tsx';
import { type FormPart, textOf } from './form-part.ts';
import { FurtherSettings } from './further-settings.tsx';
import { UrlVerdict } from './url-verdict.tsx';

interface SubscriptionFormProps {
  readonly draft: Draft;
  readonly change: (draft: Draft) => void;
  readonly known: readonly string[];
  /** Live and test payments never mix: it is chosen once. */
  readonly mayChooseLive: boolean;
  readonly headerNames: readonly string[];
  readonly failure: Failure | undefined;
  readonly what: string;
  readonly submit: () => void;
  readonly actions: ComponentChildren;
}

export function SubscriptionForm(props: SubscriptionFormProps) {
  const { draft, failure, submit } = props;
  const form = useRef<HTMLFormElement>(null);
  const errors = fieldErrors(failure);
  const own = errorsIn(draft);
  const errorOf = (name: keyof Draft) => own[name] ?? errorAt(name, errors, PLACED.includes(name));
  const part: FormPart = { draft, change: (changed) => props.change({ ...draft, ...changed }), errorOf };
  const goToError = () => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  useLayoutEffect(goToError, [failure]);
  return (
    <form
      ref={form}
      class="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (Object.keys(own).length === 0) submit();
        else goToError();
      }}
    >
      <TextField
        {...textOf(part, 'callback_url')}
        label={TEXT.settings.callback_url}
        hint={TEXT.form.callbackUrlHint}
        type="url"
        placeholder="https://shop.example/webhooks"
      >
        <UrlVerdict url={draft.callback_url} live={draft.live} error={errorOf('callback_url')} />
      </TextField>
      <TextField
        {...textOf(part, 'description')}
        label={`${TEXT.settings.description} (${TEXT.optional})`}
        hint={TEXT.form.descriptionHint}
        maxLength={200}
        autocomplete="on"
        spellcheck
      />
      <EventTypesField {...part} known={props.known} />
      <FilterFields {...part} />
      {props.mayChooseLive && (
        <fieldset class="field">
          <legend>{TEXT.form.payments}</legend>
          <p class="hint">{TEXT.form.paymentsHint}</p>
          {[false, true].map((live) => (
            <label key={String(live)} class="choice">
              <input
                type="radio"
                name="live"
                checked={draft.live === live}
                onChange={() => part.change({ live })}
              />
              {live ? TEXT.form.livePayments : TEXT.form.testPayments}
            </label>
          ))}
        </fieldset>
      )}
      <FurtherSettings {...part} headerNames={props.headerNames} />
      <FailureNotice failure={failure} what={props.what} />
      <div class="actions">{props.actions}</div>
    </form>
  );
}
