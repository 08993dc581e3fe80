import type { Metered, Share } from './metered-line.ts';
import { total } from './usage.ts';

/** Which part of an invocation was for some services, by its records. One that names nobody, such as one of sweep, is the stage's own and counts whole. */
export function shareFor(line: Metered, isOurs: (service: string) => boolean): number {
  const all = total(line.services ?? {});
  const ours = Object.entries(line.services ?? {}).filter(([service]) => isOurs(service));
  return all === 0 ? 1 : total(Object.fromEntries(ours)) / all;
}

/**
 * What of a stage's work was for some services. Of a batch that others have records in it is as much as they have of its records.
 *
 * @returns `others`: invocations by function, to the nearest one, that were for somebody else
 */
export function doneFor(
  lines: readonly Metered[],
  isOurs: (service: string) => boolean,
): { readonly ours: readonly Share[]; readonly others: Readonly<Record<string, number>> } {
  const shares = lines.map((line) => ({ ...line, share: shareFor(line, isOurs) }));
  const others = [...Map.groupBy(shares, ({ service }) => service)].map(
    ([service, some]) => [service, Math.round(some.reduce((sum, { share }) => sum + 1 - share, 0))] as const,
  );
  return {
    ours: shares.filter(({ share }) => share > 0),
    others: Object.fromEntries(others.filter(([, count]) => count > 0)),
  };
}
