import type { CountedRowView } from '../../functions/core/analysis/counted-row.ts';
import { periodOf, timesIn } from '../analysis/question.ts';
import { type Live, useLive } from '../api/live.ts';
import { queryOf } from '../app/route.ts';
import { dayOf, type StageDay } from './day.ts';

const MINUTE_MS = 60_000;
/** Of 25 subscriptions each. Whoever has more asks Analysis. */
const MAX_PAGES = 20;

export interface ReadDay extends StageDay {
  readonly pages: number;
  /** There are more subscriptions. */
  readonly isCut: boolean;
}

interface Page {
  readonly rows: readonly CountedRowView[];
  readonly next_cursor?: string;
}

/** The last day of the whole stage: whatever its size, at most a page in three minutes. */
export function useStageDay(): Live<ReadDay> {
  return useLive<ReadDay>(
    '/stage/statistics',
    (day) => Math.max(5, 3 * (day?.pages ?? 0)) * MINUTE_MS,
    async (api, path, signal) => {
      const period = periodOf({ days: '1', since: '', until: '' }, Date.now());
      const rows: CountedRowView[] = [];
      let cursor: string | undefined;
      let pages = 0;
      do {
        const query = queryOf({ ...period, by: 'hour', cursor });
        const { body } = await api.request<Page>('GET', `${path}${query}`, { signal });
        rows.push(...body.rows);
        cursor = body.next_cursor;
        pages += 1;
      } while (cursor !== undefined && pages < MAX_PAGES);
      const hours = timesIn('hour', 'UTC', period).map(({ name }) => name);
      const body = { ...dayOf(rows, hours), pages, isCut: cursor !== undefined };
      return { body, etag: undefined };
    },
  );
}
