import { TEXT } from '../../texts.ts';
import { SelectField, TextField } from '../../view/field.tsx';
import { type FormPart, textOf } from './form-part.ts';
import { HeadersField } from './headers-field.tsx';

const NAMES = [
  'timeout_ms',
  'schedule',
  'rate_limit',
  'contact',
  'notices_url',
  'extra_signatures',
  'custom_headers',
] as const;
const SCHEDULES = ['standard', 'govuk'] as const;
const SIGNATURES = ['v1a', 'pay-signature', 'rfc9421'] as const;

/** Settings that most people leave as they are. They show themselves when something is wrong with one. */
export function FurtherSettings(part: FormPart & { readonly headerNames: readonly string[] }) {
  const { draft, change, errorOf, headerNames } = part;
  return (
    <details class="field" {...(NAMES.some(errorOf) ? { open: true } : {})}>
      <summary>{TEXT.form.further}</summary>
      <TextField
        {...textOf(part, 'timeout_ms')}
        label={TEXT.form.timeout}
        hint={TEXT.form.timeoutHint}
        inputMode="numeric"
      />
      <SelectField
        id="schedule"
        label={TEXT.settings.schedule}
        error={errorOf('schedule')}
        value={draft.schedule}
        options={SCHEDULES}
        textOf={(schedule) => TEXT.schedule[schedule]}
        chosen={(schedule) => change({ schedule })}
      />
      <TextField
        {...textOf(part, 'rate_limit')}
        label={`${TEXT.form.rateLimit} (${TEXT.optional})`}
        hint={TEXT.form.rateLimitHint}
        inputMode="numeric"
      />
      <TextField
        {...textOf(part, 'contact')}
        label={`${TEXT.settings.contact} (${TEXT.optional})`}
        hint={TEXT.form.contactHint}
        type="email"
        autocomplete="email"
      />
      <TextField
        {...textOf(part, 'notices_url')}
        label={`${TEXT.settings.notices_url} (${TEXT.optional})`}
        hint={TEXT.form.noticesHint}
        type="url"
      />
      <fieldset class="field">
        <legend>{TEXT.settings.extra_signatures}</legend>
        {SIGNATURES.map((signature) => (
          <label key={signature} class="choice">
            <input
              type="checkbox"
              checked={draft.extra_signatures.includes(signature)}
              onChange={(event) =>
                change({
                  extra_signatures: event.currentTarget.checked
                    ? [...draft.extra_signatures, signature]
                    : draft.extra_signatures.filter((other) => other !== signature),
                })
              }
            />
            <span>
              <code>{signature}</code> <span class="soft">{TEXT.form.signature[signature]}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <HeadersField {...part} names={headerNames} />
    </details>
  );
}
