import { Field } from './field.tsx';

interface LinesFieldProps {
  readonly id: string;
  readonly label: string;
  readonly hint: string;
  readonly error?: string | undefined;
  /** @default 2 */
  readonly rows?: number;
  readonly value: string;
  readonly typed: (text: string) => void;
}

/** Some lines of text. */
export function LinesField({ rows = 2, value, typed, ...field }: LinesFieldProps) {
  return (
    <Field {...field}>
      {(described) => (
        <textarea
          {...described}
          rows={rows}
          spellcheck={false}
          value={value}
          onInput={(event) => typed(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}
