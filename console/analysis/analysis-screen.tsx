import { useMemo, useState } from 'preact/hooks';
import type { AnalysisTable, Cell } from '../../functions/core/analysis/analysis-table.ts';
import { hrefOf } from '../app/route.ts';
import { TEXT } from '../texts.ts';
import { FailureNotice } from '../view/failure-notice.tsx';
import { Empty, Loading } from '../view/read.tsx';
import { saveCsv } from '../view/save-csv.ts';
import { Screen } from '../view/screen.tsx';
import { localTime } from '../words/time.ts';
import { useAnswer } from './answer.ts';
import { Bars } from './bars.tsx';
import { written } from './cells.ts';
import { type Asked, askedOf, narrowed, parametersOf, periodBefore, periodOf, timesIn } from './question.ts';
import { Questions } from './questions.tsx';

const ROWS_SHOWN = 500;

/** Answers a question about all partners; the address is the question. */
export function AnalysisScreen({ parameters }: { readonly parameters: URLSearchParams }) {
  const asked = askedOf(parameters, Intl.DateTimeFormat().resolvedOptions().timeZone);
  const [ask, setAsk] = useState(0);
  const period = useMemo(() => periodOf(asked, Date.now()), [asked.days, asked.since, asked.until, ask]);
  const [compares, setCompares] = useState(false);
  const answer = useAnswer(asked, period, ask);
  const { table, failure, isReading, isCut, pages, readUnits } = answer;
  const text = TEXT.analysis;
  const groups = asked.by.length;
  return (
    <Screen title={text.title} name={`${text.title}: ${text.question[asked.question]}`}>
      <Questions asked={asked} again={() => setAsk(ask + 1)} />
      <FailureNotice failure={failure} what={text.notRead} again={() => setAsk(ask + 1)} />
      {table === undefined && failure === undefined && <Loading lines={6} />}
      {table && (
        <>
          <Totals table={table} groups={groups} />
          {compares ? (
            <Before asked={asked} period={period} ask={ask} />
          ) : (
            <button type="button" onClick={() => setCompares(true)}>
              {text.compare}
            </button>
          )}
          {(asked.by[0] === 'day' || asked.by[0] === 'hour') && table.rows.length > 0 && (
            <Bars table={table} groups={groups} times={timesIn(asked, period)} />
          )}
          {table.rows.length === 0 && !isReading ? (
            <Empty>{text.none}</Empty>
          ) : (
            <AnswerTable table={table} asked={asked} period={period} />
          )}
          <p class="soft" role="status">
            {isReading && (
              <>
                {text.reading(pages)}{' '}
                <button type="button" class="quiet" onClick={answer.stop}>
                  {text.stop}
                </button>{' '}
              </>
            )}
            {isCut && `${text.cut} `}
            {text.footer(
              localTime(period.since, Date.now()),
              localTime(period.until, Date.now()),
              readUnits,
              asked.question === 'not-acknowledged',
            )}
          </p>
          <div class="actions">
            <button type="button" onClick={() => saveCsv(table, asked.question)}>
              {text.csv}
            </button>
          </div>
        </>
      )}
    </Screen>
  );
}

function Totals({ table, groups }: { readonly table: AnalysisTable; readonly groups: number }) {
  return (
    <dl class="figures">
      {table.columns.slice(groups).map((column, index) => (
        <div key={column}>
          <dt>{TEXT.analysis.column(column)}</dt>
          <dd>{written(column, table.totals[groups + index] ?? '')}</dd>
        </div>
      ))}
    </dl>
  );
}

interface OfPeriod {
  readonly asked: Asked;
  readonly period: { readonly since: string; readonly until: string };
}

/** The totals of the period before this one. */
function Before({ asked, period, ask }: OfPeriod & { readonly ask: number }) {
  const before = useMemo(() => periodBefore(period), [period]);
  const { table, failure } = useAnswer(asked, before, ask);
  return (
    <section>
      <h2>
        {TEXT.analysis.before(localTime(before.since, Date.now()), localTime(before.until, Date.now()))}
      </h2>
      <FailureNotice failure={failure} what={TEXT.analysis.notRead} />
      {table ? <Totals table={table} groups={asked.by.length} /> : <Loading lines={2} />}
    </section>
  );
}

function AnswerTable({ table, asked, period }: OfPeriod & { readonly table: AnalysisTable }) {
  const [order, setOrder] = useState<{ readonly column: number; readonly falls: boolean }>();
  const rows = useMemo(() => sorted(table.rows, order), [table, order]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: with the keyboard, a wide table scrolls only from inside.
    <section class="scroll" tabIndex={0} aria-label={TEXT.analysis.table}>
      <table>
        <thead>
          <tr>
            {table.columns.map((column, index) => (
              <th
                key={column}
                scope="col"
                aria-sort={order?.column === index ? (order.falls ? 'descending' : 'ascending') : 'none'}
              >
                <button
                  type="button"
                  class="quiet"
                  onClick={() =>
                    setOrder({ column: index, falls: order?.column === index ? !order.falls : true })
                  }
                >
                  {TEXT.analysis.column(column)}
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, ROWS_SHOWN).map((row) => (
            <tr key={row.slice(0, asked.by.length).join(' ')}>
              {row.map((cell, index) => (
                <td key={table.columns[index]}>
                  <CellOf column={table.columns[index] ?? ''} {...{ asked, period, row, index, cell }} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > ROWS_SHOWN && <p class="soft">{TEXT.analysis.more(rows.length - ROWS_SHOWN)}</p>}
    </section>
  );
}

interface CellProps extends OfPeriod {
  readonly column: string;
  readonly row: readonly Cell[];
  readonly index: number;
  readonly cell: Cell;
}

/** A group leads to the same question about it alone, and a subscription to its messages. */
function CellOf({ asked, period, column, row, index, cell }: CellProps) {
  const dimension = asked.by[index];
  const text = written(column, cell);
  if (dimension === undefined || cell === '') return <bdi>{text}</bdi>;
  const service = asked.service || String(row[asked.by.indexOf('service')] ?? '');
  if (dimension === 'subscription' && service !== '') {
    const filter = { since: period.since, until: period.until };
    return <a href={hrefOf({ screen: 'messages', id: String(cell), filter }, service)}>{text}</a>;
  }
  const next = narrowed(asked, dimension, String(cell));
  return next === asked ? (
    <bdi>{text}</bdi>
  ) : (
    <a href={hrefOf({ screen: 'analysis', parameters: parametersOf(next) })}>{text}</a>
  );
}

function sorted(
  rows: readonly (readonly Cell[])[],
  order: { readonly column: number; readonly falls: boolean } | undefined,
): readonly (readonly Cell[])[] {
  if (order === undefined) return rows;
  const { column, falls } = order;
  const compare = (one: Cell = '', other: Cell = '') =>
    typeof one === 'number' && typeof other === 'number'
      ? one - other
      : String(one).localeCompare(String(other));
  return rows.toSorted((one, other) => (falls ? -1 : 1) * compare(one[column], other[column]));
}
