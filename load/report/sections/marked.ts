import type { Period, RunResult } from '../../results/run-result.ts';
import type { Band } from '../chart/bands.ts';
import { clock } from '../chart/scales.ts';
import { html, type Markup } from '../html.ts';
import { duration } from '../numbers.ts';

/** What charts mark, for those who do not see it there. */
export function marked({ periods = [], points }: RunResult): Markup {
  const end = points.at(-1)?.at_seconds ?? 0;
  const times = periods.map(
    (period, index) =>
      html`${index > 0 && '; '}<strong>${nameOf(period)}</strong> from ${clock(period.from_seconds, end)} to ${clock(period.to_seconds, end)}`,
  );
  return html`${times.length > 0 && html`<p class="note">Marked in the charts: ${times}.</p>`}`;
}

function nameOf({ group, what }: Period): string {
  return group === undefined ? what : `${group}: ${what}`;
}

/** Under its name, with how long it took; what all partners share, as the baseline, has no tint and no more than its name. */
export function bandOf(period: Period): Band {
  const { group, from_seconds: from, to_seconds: to } = period;
  const seconds = to - from;
  const length = duration(seconds < 10 ? Math.round(seconds * 10) * 100 : Math.round(seconds) * 1_000);
  return {
    label: group === undefined ? nameOf(period) : `${nameOf(period)} for ${length}`,
    from,
    to,
    isTinted: group !== undefined,
  };
}
