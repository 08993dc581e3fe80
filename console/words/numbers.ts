import type { Route } from '../app/route.ts';

const whole = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 0 });
const tenths = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 1 });

/** `1,240` */
export function count(value: number): string {
  return whole.format(value);
}

/** `1 message`, `1,240 messages` */
export function counted(value: number, thing: string): string {
  return `${count(value)} ${thing}${value === 1 ? '' : 's'}`;
}

/** 0 to 1 as `82 %`. It never claims all or nothing when that is not so. */
export function share(value: number): string {
  const percent = value * 100;
  if (value > 0.999 && value < 1) return '> 99.9 %';
  if (value > 0 && percent < 0.1) return '< 0.1 %';
  return `${percent > 99 || percent < 1 ? tenths.format(percent) : whole.format(percent)} %`;
}

/** `1 KiB`, `50 B` */
export function bytes(value: number): string {
  if (value < 1024) return `${value} B`;
  return value < 1024 * 1024
    ? `${tenths.format(value / 1024)} KiB`
    : `${tenths.format(value / 1024 / 1024)} MiB`;
}

/** A sentence in pieces: text, an instant, how far away an instant is, or the way to a screen. */
export type Sentence = readonly (
  | string
  | { readonly at: string }
  | { readonly away: string }
  | { readonly to: Route; readonly text: string }
)[];

/** Whether a piece stands apart from the one before it: a full stop or a comma does not. */
export function standsApart(piece: Sentence[number]): boolean {
  return typeof piece !== 'string' || !/^[.:,]/.test(piece);
}
