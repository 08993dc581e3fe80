import { TEXT } from '../texts.ts';
import { Field } from './field.tsx';

interface LinesFieldProps {
  readonly id: string;
  readonly label: string;
  readonly hint: string;
  readonly error?: string | undefined;
  readonly value: string;
  readonly typed: (text: string) => void;
}

/** Some lines of text. */
export function LinesField({ value, typed, ...field }: LinesFieldProps) {
  return (
    <Field {...field}>
      {(described) => (
        <textarea
          {...described}
          rows={2}
          spellcheck={false}
          value={value}
          onInput={(event) => typed(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

/** JSON, or nothing. */
export function JsonField({ error, ...field }: LinesFieldProps) {
  return <LinesField {...field} error={isJson(field.value) ? error : TEXT.notJson} />;
}

export function isJson(text: string): boolean {
  try {
    return text.trim() === '' || JSON.parse(text) !== undefined;
  } catch {
    return false;
  }
}
