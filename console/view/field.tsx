import type { ComponentChildren } from 'preact';
import { inputOfInstant, instantOfInput } from '../words/time.ts';
import { visible } from '../words/visible.ts';

/** What connects an input with its label, its hint and its error. */
interface Described {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': boolean;
}

interface FieldProps {
  readonly id: string;
  readonly label: string;
  readonly hint?: ComponentChildren;
  /** What is wrong, without the field's name. */
  readonly error?: string | undefined;
  readonly children: (described: Described) => ComponentChildren;
}

export function Field({ id, label, hint, error, children }: FieldProps) {
  const described = [hint ? `${id}-hint` : [], error ? `${id}-error` : []].flat().join(' ');
  return (
    <div class={error ? 'field invalid' : 'field'}>
      <label for={id}>{label}</label>
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {children({ id, 'aria-describedby': described || undefined, 'aria-invalid': error !== undefined })}
      <FieldError id={id} error={error} />
    </div>
  );
}

interface TextFieldProps extends Omit<FieldProps, 'children'> {
  readonly value: string;
  readonly typed: (text: string) => void;
  readonly type?: 'email' | 'password' | 'search' | 'url';
  readonly inputMode?: 'numeric';
  /** What browsers may fill in. @default - nothing */
  readonly autocomplete?: 'email' | 'on';
  /** Whether they look at its spelling. @default false */
  readonly spellcheck?: boolean;
  readonly placeholder?: string;
  readonly maxLength?: number;
  readonly required?: boolean;
  /** Below the input. */
  readonly children?: ComponentChildren;
}

export function TextField(props: TextFieldProps) {
  const { id, label, hint, error, type = 'text', typed, children, ...input } = props;
  return (
    <Field id={id} label={label} hint={hint} error={error}>
      {(described) => (
        <>
          <input
            {...described}
            // The types of Preact take one kind of input at a time.
            type={type as 'text'}
            autocomplete="off"
            spellcheck={false}
            {...input}
            onInput={(event) => typed(event.currentTarget.value)}
          />
          {children}
        </>
      )}
    </Field>
  );
}

interface SelectFieldProps<Value extends string> extends Omit<FieldProps, 'children'> {
  readonly value: Value;
  readonly options: readonly Value[];
  /** @default - the option itself */
  readonly textOf?: (option: Value) => string;
  readonly chosen: (option: Value) => void;
}

export function SelectField<Value extends string>(props: SelectFieldProps<Value>) {
  const { value, options, textOf = (option) => option, chosen, ...field } = props;
  return (
    <Field {...field}>
      {(described) => (
        <select {...described} value={value} onChange={(event) => chosen(event.currentTarget.value as Value)}>
          {options.map((option) => (
            <option key={option} value={option}>
              {textOf(option)}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

interface InstantFieldProps extends Omit<FieldProps, 'children'> {
  /** ISO 8601. */
  readonly value: string | undefined;
  readonly required?: boolean;
  /** @param instant empty: none */
  readonly chosen: (instant: string) => void;
}

/** A day with its time to the second, in the viewer's zone. */
export function InstantField({ value, required = false, chosen, ...field }: InstantFieldProps) {
  return (
    <Field {...field}>
      {(described) => (
        <input
          {...described}
          type="datetime-local"
          step={1}
          required={required}
          value={inputOfInstant(value)}
          onChange={(event) => chosen(instantOfInput(event.currentTarget.value) ?? '')}
        />
      )}
    </Field>
  );
}

export function FieldError({ id, error }: { readonly id: string; readonly error: string | undefined }) {
  return error === undefined ? null : (
    <p class="error" id={`${id}-error`}>
      {visible(error)}
    </p>
  );
}
