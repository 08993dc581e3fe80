import type { Group } from '../../results/run-result.ts';
import { sum } from '../../statistics/sum.ts';
import type { Partner } from '../partners/partner.ts';

/** Follows how many messages wait for each group, as the API reports it. */
export function waitingWatch(
  partners: readonly Pick<Partner, 'group' | 'waiting'>[],
  startedAtMs: () => number | undefined,
) {
  const seen = new Map<string, { readonly atMs: number; readonly count: number }[]>();
  return {
    async poll(): Promise<void> {
      const atMs = Date.now();
      for (const [group, some] of Map.groupBy(partners, ({ group }) => group)) {
        const count = sum(await Promise.all(some.map((partner) => partner.waiting())));
        seen.set(group, [...(seen.get(group) ?? []), { atMs, count }]);
      }
    },
    /** Times in seconds of the run. */
    of(group: string): NonNullable<Group['waiting']> {
      const from = startedAtMs();
      return (seen.get(group) ?? []).flatMap(({ atMs, count }) =>
        from === undefined || atMs < from
          ? []
          : [{ at_seconds: Math.round((atMs - from) / 100) / 10, count }],
      );
    },
  };
}
