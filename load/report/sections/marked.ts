import type { Period, RunResult } from '../../results/run-result.ts';
import type { Band } from '../chart/bands.ts';
import { clock } from '../chart/scales.ts';
import { html, type Markup } from '../html.ts';
import { duration } from '../numbers.ts';

/** The marked periods in words, for readers who do not see the charts. */
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

/** Named with its length. A period of all partners, such as the baseline, has no tint and no length. */
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
