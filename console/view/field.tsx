import type { ComponentChildren } from 'preact';
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

export function FieldError({ id, error }: { readonly id: string; readonly error: string | undefined }) {
  return error === undefined ? null : (
    <p class="error" id={`${id}-error`}>
      {visible(error)}
    </p>
  );
}
