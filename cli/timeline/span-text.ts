/** A span as a person reads it: 87 ms, 4.2 s, 3 min 20 s, 2 h 5 min, 1 d 3 h. */
export function spanText(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  const [minutes, hours, days] = [60, 3_600, 86_400].map((unit) => Math.floor(seconds / unit)) as [
    number,
    number,
    number,
  ];
  if (ms < 1_000) {
    return `${Math.max(0, Math.round(ms))} ms`;
  }
  if (minutes === 0) {
    return `${Math.round(ms / 100) / 10} s`;
  }
  return days > 0
    ? `${days} d ${hours % 24} h`
    : hours > 0
      ? `${hours} h ${minutes % 60} min`
      : `${minutes} min ${seconds % 60} s`;
}
