import type { Group } from '../../results/run-result.ts';
import type { Customer } from '../partners/partner.ts';

/** What somebody sees who asks the API, while it goes on, how much waits for partners. */
export function waitingWatch(
  customers: readonly Pick<Customer, 'group' | 'waiting'>[],
  startedAtMs: () => number | undefined,
) {
  const seen = new Map<string, { readonly atMs: number; readonly count: number }[]>();
  return {
    async look(): Promise<void> {
      const atMs = Date.now();
      for (const [group, some] of Map.groupBy(customers, ({ group }) => group)) {
        const counts = await Promise.all(some.map((customer) => customer.waiting()));
        const count = counts.reduce((sum, one) => sum + one, 0);
        seen.set(group, [...(seen.get(group) ?? []), { atMs, count }]);
      }
    },
    /** In seconds of the run. */
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
