/** To four digits behind the point: a hundredth of a cent, a call in ten thousand. */
export function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
