const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const threeFigures = new Intl.NumberFormat('en-GB', { maximumSignificantDigits: 3 });

/** How exactly an instant is told. */
export type Precision = 'second' | 'millisecond';

const CLOCK = {
  second: { timeStyle: 'medium' },
  millisecond: { hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3 },
} as const satisfies Record<Precision, Intl.DateTimeFormatOptions>;

/** How long something took: `8 ms`, `1.25 s`, `3.5 min`, `2 h`, `3 d`. */
export function duration(ms: number): string {
  if (ms < SECOND_MS) return `${threeFigures.format(ms)} ms`;
  if (ms < 2 * MINUTE_MS) return `${threeFigures.format(ms / SECOND_MS)} s`;
  if (ms < 2 * HOUR_MS) return `${threeFigures.format(ms / MINUTE_MS)} min`;
  return ms < 2 * DAY_MS ? `${threeFigures.format(ms / HOUR_MS)} h` : `${threeFigures.format(ms / DAY_MS)} d`;
}

/** Nothing took no time. */
export const durationOr = (ms: number | null) => (ms === null ? '–' : duration(ms));

/** How far away an instant is, in whole units, so that it does not flicker: `40 s`, `3 min`, `2 h`, `4 d`. */
export function distance(ms: number): string {
  if (ms < MINUTE_MS) return `${Math.round(ms / SECOND_MS)} s`;
  if (ms < HOUR_MS) return `${Math.round(ms / MINUTE_MS)} min`;
  return ms < 2 * DAY_MS ? `${Math.round(ms / HOUR_MS)} h` : `${Math.round(ms / DAY_MS)} d`;
}

/** An instant in UTC, to the millisecond: `2026-11-23 11:09:02.120 UTC`. Other text is returned unchanged. */
export function utc(iso: string): string {
  const at = new Date(iso);
  return Number.isNaN(at.getTime()) ? iso : `${at.toISOString().slice(0, -1).replace('T', ' ')} UTC`;
}

/**
 * An instant in the viewer's zone: the time alone on the day of `nowMs`, else with the day. Other text is
 * returned unchanged.
 *
 * @param timeZone @default - the viewer's
 * @param precision where instants are compared, a second is not enough @default 'second'
 */
export function localTime(
  iso: string,
  nowMs: number,
  timeZone?: string,
  precision: Precision = 'second',
): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return iso;
  const zone = timeZone === undefined ? {} : { timeZone };
  const dayOf = (day: Date) => day.toLocaleDateString('en-GB', { dateStyle: 'medium', ...zone });
  const time = at.toLocaleTimeString('en-GB', { ...CLOCK[precision], ...zone });
  return dayOf(at) === dayOf(new Date(nowMs)) ? time : `${dayOf(at)}, ${time}`;
}

/** What an input of type `datetime-local` gives, as an instant; undefined when it is empty or no time. */
export function instantOfInput(text: string): string | undefined {
  const at = new Date(text);
  return text === '' || Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}

/** An instant as an input of type `datetime-local` takes it, to the second, in the viewer's zone. */
export function inputOfInstant(iso: string | undefined): string {
  const at = new Date(iso ?? '');
  if (Number.isNaN(at.getTime())) return '';
  const two = (part: number) => String(part).padStart(2, '0');
  // By its parts: where the clocks of old years differ by seconds, an offset in minutes gives another
  // instant.
  const day = `${String(at.getFullYear()).padStart(4, '0')}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
}
