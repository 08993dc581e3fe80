import type { Spread } from '../results/run-result.ts';

/** Number formats of the reports: three significant digits, always with a unit. */

const whole = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 0 });
const cents = new Intl.NumberFormat('en-GB', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const threeFigures = new Intl.NumberFormat('en-GB', { maximumSignificantDigits: 3 });

/** `12,000`, `7.25`, `0.0312` */
export function figure(value: number): string {
  return Math.abs(value) >= 1000 ? whole.format(value) : threeFigures.format(value);
}

export function count(value: number): string {
  return whole.format(value);
}

/** `8 ms`, `1.25 s`, `3.5 min`, `2 h` */
export function duration(ms: number): string {
  if (ms < 1000) {
    return `${figure(ms)} ms`;
  }
  if (ms < 120_000) {
    return `${figure(ms / 1000)} s`;
  }
  return ms < 7_200_000 ? `${figure(ms / 60_000)} min` : `${figure(ms / 3_600_000)} h`;
}

/** How long a run took: `45 s`, `5 min 2 s`, `2 h 5 min` */
export function span(seconds: number): string {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  if (hours > 0) {
    return `${hours} h ${minutes} min`;
  }
  return minutes > 0 ? `${minutes} min ${Math.floor(seconds % 60)} s` : `${figure(seconds)} s`;
}

/** `1,240/s` */
export function perSecond(value: number): string {
  return `${figure(value)}/s`;
}

/** `$1,203.41`: always to the cent. `<$0.01` is less than half a cent, but not zero. */
export function dollars(value: number): string {
  return value > 0 && value < 0.005 ? '<$0.01' : `$${cents.format(value)}`;
}

/** 0 to 1, as `12.5 %` */
export function share(value: number): string {
  return `${figure(value * 100)} %`;
}

/** `1 KiB`, `50 B` */
export function bytes(value: number): string {
  if (value < 1024) {
    return `${figure(value)} B`;
  }
  return value < 1024 * 1024 ? `${figure(value / 1024)} KiB` : `${figure(value / 1024 / 1024)} MiB`;
}

/** `14 Nov 2026, 10:00 UTC`; anything that is no instant is returned unchanged. */
export function instant(iso: string): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return iso;
  const text = at.toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
  return `${text} UTC`;
}

/** A value with the unit in its name, such as `body_bytes`: `1 KiB`. */
export function measured(name: string, value: number): string {
  if (name.endsWith('_bytes')) return bytes(value);
  return name.endsWith('_ms') ? duration(value) : figure(value);
}

/** A parameter's name without its unit: `body_bytes` becomes `body`. */
export function spoken(name: string): string {
  return name.replace(/_(bytes|ms|seconds)$/, '').replaceAll('_', ' ');
}

/** The figures of runs, by unit. */
export const writtenAs: Readonly<Record<Spread['unit'], (value: number) => string>> = {
  ms: duration,
  'a second': perSecond,
  times: (value) => `×${value.toFixed(2)}`,
  dollars,
  '': figure,
};
