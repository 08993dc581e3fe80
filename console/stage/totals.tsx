import { useRef } from 'preact/hooks';
import { TEXT } from '../texts.ts';
import { count } from '../words/numbers.ts';
import type { Troubled } from './sentences.ts';
import { type Queues, type Reading, totalsOf, trendOf } from './trend.ts';

interface TotalsProps {
  readonly queues: Queues | undefined;
  readonly found: Troubled | undefined;
}

/** The stage in five numbers, each with how it has changed while somebody looked. */
export function Totals({ queues, found }: TotalsProps) {
  const readings = useRef<readonly Reading[]>([]);
  if (queues === undefined || found === undefined) return null;
  const totals = totalsOf(queues, found);
  const { kept, since } = trendOf(readings.current, totals, Date.now());
  readings.current = kept;
  const text = TEXT.stage.totals;
  return (
    <dl class="figures">
      {totals.map((value, index) => (
        <div key={text.names[index]}>
          <dt>
            {text.names[index]}
            {since && <> {text.trend(value - (since.totals[index] ?? 0), since.minutes)}</>}
          </dt>
          <dd>{count(value)}</dd>
        </div>
      ))}
    </dl>
  );
}
