import { useEffect, useState } from 'preact/hooks';
import {
  type AnalysisTable,
  type Dimension,
  tableOfCounts,
  tableOfMessages,
  type Unacknowledged,
} from '../../functions/core/analysis/analysis-table.ts';
import { type CountedRowView, countedRowIn } from '../../functions/core/analysis/counted-row.ts';
import { type Failure, failureOf } from '../api/failure.ts';
import { queryOf } from '../app/route.ts';
import { useSignedIn } from '../app/session.ts';
import { type Asked, lengthOf } from './question.ts';

interface Page {
  readonly rows?: readonly CountedRowView[];
  readonly messages?: readonly Unacknowledged[];
  readonly next_cursor?: string;
  readonly counted_at: string;
  readonly read_units: number;
}

export interface Answered {
  readonly table: AnalysisTable | undefined;
  /** The same by day or hour, and the last group besides. */
  readonly course: AnalysisTable | undefined;
  /** What came later may be missing. */
  readonly completeUntil: string;
  readonly readUnits: number;
  readonly pages: number;
  /** There is more, and nothing reads on. */
  readonly isCut: boolean;
  readonly isReading: boolean;
  readonly failure: Failure | undefined;
}

const NOTHING = {
  table: undefined,
  course: undefined,
  completeUntil: '',
  readUnits: 0,
  pages: 0,
  isCut: false,
  failure: undefined,
};

/** How far counts and messages lag, with some to spare. */
const LAG_MS = { counts: 60_000, messages: 5_000 };

/** More messages than a table of groups needs to be right about who is hit. */
const MAX_MESSAGES = 20_000;

/**
 * The answer to a question, page by page: the table grows while it is read.
 *
 * @param ask counts up when the same is asked again
 */
export function useAnswer(
  asked: Asked,
  period: { readonly since: string; readonly until: string },
  ask: number,
): Answered & { readonly stop: () => void } {
  const { api } = useSignedIn();
  const { question, by, zone, service, subscription, reason, status, type, live } = asked;
  const length = lengthOf(asked, period);
  const [answered, setAnswered] = useState<Answered>({ ...NOTHING, isReading: true });
  const [stop, setStop] = useState(() => () => {});
  const isOfMessages = question === 'not-acknowledged';
  useEffect(() => {
    const ended = new AbortController();
    setStop(() => () => ended.abort());
    const rows: CountedRowView[] = [];
    const messages: Unacknowledged[] = [];
    const only = { subscription, reason, status };
    const named = by.findLast((one) => !['day', 'hour', 'message'].includes(one));
    const courseBy: readonly Dimension[] = named === undefined ? [length] : [length, named];
    async function read() {
      let [cursor, readUnits, pages]: [string | undefined, number, number] = [undefined, 0, 0];
      let completeUntil = period.until;
      do {
        const query = isOfMessages ? { event_type: type, live } : { by: length, time_zone: zone };
        const path = `/stage/${isOfMessages ? 'unacknowledged' : 'statistics'}`;
        const { body }: { body: Page } = await api.request<Page>(
          'GET',
          `${path}${queryOf({ ...period, service_id: service, ...query, cursor })}`,
          { signal: ended.signal },
        );
        rows.push(...(body.rows ?? []));
        messages.push(...(body.messages ?? []));
        cursor = body.next_cursor;
        readUnits += body.read_units;
        pages += 1;
        const lag = LAG_MS[isOfMessages ? 'messages' : 'counts'];
        const complete = new Date(Date.parse(body.counted_at) - lag).toISOString();
        if (complete < completeUntil) completeUntil = complete;
        const isFull = messages.length >= MAX_MESSAGES;
        const tableBy = (groups: readonly Dimension[]) =>
          question === 'not-acknowledged'
            ? tableOfMessages(messages, groups, zone, only)
            : tableOfCounts(question, rows.map(countedRowIn), groups, only);
        const isReading = cursor !== undefined && !isFull;
        setAnswered({
          ...NOTHING,
          table: tableBy(by),
          course: tableBy(courseBy),
          completeUntil,
          readUnits,
          pages,
          isReading,
          isCut: cursor !== undefined && isFull,
        });
        if (!isReading) return;
      } while (!ended.signal.aborted);
    }
    setAnswered({ ...NOTHING, isReading: true });
    read().catch((error: unknown) =>
      setAnswered((known) =>
        ended.signal.aborted
          ? { ...known, isReading: false, isCut: true }
          : { ...known, isReading: false, failure: failureOf(error) },
      ),
    );
    return () => ended.abort();
  }, [
    question,
    by.join(),
    zone,
    service,
    subscription,
    reason,
    status,
    type,
    live,
    period.since,
    period.until,
    ask,
  ]);
  return { ...answered, stop };
}
