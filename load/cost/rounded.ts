/** Rounds to four decimals: a hundredth of a cent, one call in ten thousand. */
export function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
