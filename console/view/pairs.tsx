import type { ComponentChildren } from 'preact';

interface PairsProps {
  /** Those without a value are left out. */
  readonly rows: readonly (readonly [name: ComponentChildren, value: ComponentChildren])[];
  readonly class?: string;
}

/** What belongs to each name. */
export function Pairs({ rows, class: more = '' }: PairsProps) {
  return (
    <dl class={`pairs ${more}`}>
      {rows
        .filter(([, value]) => value !== undefined && value !== false && value !== null)
        .map(([name, value], index) => (
          <div key={index}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
