import { useMemo, useState } from 'preact/hooks';
import {
  type AnalysisTable,
  type Cell,
  DIMENSIONS,
  type Dimension,
  type Only,
} from '../../functions/core/analysis/analysis-table.ts';
import { archiveSql } from '../../functions/core/analysis/archive-sql.ts';
import type { Span } from '../../functions/core/analysis/ports.ts';
import { hrefOf } from '../app/route.ts';
import { go } from '../app/use-route.ts';
import { TEXT } from '../texts.ts';
import { CopyButton } from '../view/copy-button.tsx';
import { FailureNotice } from '../view/failure-notice.tsx';
import { Empty, Loading } from '../view/read.tsx';
import { saveCsv } from '../view/save-csv.ts';
import { Screen } from '../view/screen.tsx';
import { localTime } from '../words/time.ts';
import { visible } from '../words/visible.ts';
import { useAnswer } from './answer.ts';
import { written } from './cells.ts';
import { Chart } from './chart.tsx';
import {
  type Asked,
  askedOf,
  lengthOf,
  NARROWED,
  narrowed,
  parametersOf,
  periodBefore,
  periodOf,
  type Time,
  timesIn,
  within,
} from './question.ts';
import { Questions } from './questions.tsx';

const ROWS_SHOWN = 500;

/** Answers a question about all partners; the address is the question. */
export function AnalysisScreen({ parameters }: { readonly parameters: URLSearchParams }) {
  const asked = askedOf(parameters, Intl.DateTimeFormat().resolvedOptions().timeZone);
  const [ask, setAsk] = useState(0);
  const period = useMemo(() => periodOf(asked, Date.now()), [asked.days, asked.since, asked.until, ask]);
  const answer = useAnswer(asked, period, ask);
  const { table, course, failure, isReading, isCut, pages } = answer;
  const length = lengthOf(asked, period);
  const times = useMemo(() => timesIn(length, asked.zone, period), [length, asked.zone, period]);
  const text = TEXT.analysis;
  const show = (next: Asked) => go({ screen: 'analysis', parameters: parametersOf(next) });
  const isCompared = asked.compared !== '';
  const source = {
    'not-acknowledged': text.source.messages,
    retries: text.source.retries,
    counts: table?.columns.some((name) => name.endsWith('_ms')) ? text.source.times : text.source.counts,
  };
  const narrowedTo: Only = asked;
  return (
    <Screen title={text.title} name={`${text.title}: ${text.question[asked.question]}`}>
      <Questions asked={asked} again={() => setAsk(ask + 1)} />
      <div class="actions">
        {NARROWED.map((name) =>
          asked[name] === '' ? null : (
            <button key={name} type="button" class="chip" onClick={() => show({ ...asked, [name]: '' })}>
              {text.without(text.column(name), visible(asked[name]))}{' '}
              <span class="for-readers">{TEXT.messages.without}</span> <span aria-hidden="true">×</span>
            </button>
          ),
        )}
        {asked.service !== '' && asked.subscription !== '' && (
          <a href={messagesOf(asked.subscription, asked.service, period)}>{text.messages}</a>
        )}
      </div>
      <FailureNotice failure={failure} what={text.notRead} again={() => setAsk(ask + 1)} />
      {table === undefined && failure === undefined && <Loading lines={6} />}
      {table && course && (
        <>
          {isCompared ? (
            <Compared key={ask} asked={asked} period={period} ask={ask} table={course} />
          ) : (
            <Totals table={course} />
          )}
          <button type="button" onClick={() => show({ ...asked, compared: isCompared ? '' : 'yes' })}>
            {isCompared ? text.compareNot : text.compare}
          </button>
          {table.rows.length === 0 && !isReading ? (
            <Empty>{text.none}</Empty>
          ) : (
            <div class="answered">
              <Chart
                table={course}
                times={times}
                until={period.until}
                chosen={(since, until) => show(within(asked, since, until))}
              />
              <AnswerTable {...{ table, asked, period, times }} />
            </div>
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
              localTime(period.until, Date.parse(period.since)),
              source[asked.question as keyof typeof source] ?? source.counts,
              localTime(answer.completeUntil, Date.now()),
              answer.readUnits,
            )}
          </p>
          <div class="actions">
            <button type="button" onClick={() => saveCsv(table, asked.question)}>
              {text.csv}
            </button>
            <CopyButton text={() => archiveSql({ ...asked, ...period, only: narrowedTo })} label={text.sql} />
          </div>
        </>
      )}
    </Screen>
  );
}

/** @param before the totals of another period */
function Totals({
  table,
  before,
}: {
  readonly table: AnalysisTable;
  readonly before?: AnalysisTable | undefined;
}) {
  return (
    <dl class="figures">
      {table.columns.flatMap((column, index) => {
        const [total = '', past = ''] = [table.totals[index], before?.totals[index]];
        const name = TEXT.analysis.column(column);
        return DIMENSIONS.includes(column as Dimension) ? (
          []
        ) : (
          <div key={column}>
            <dt>{before ? TEXT.analysis.before(name, written(column, past)) : name}</dt>
            <dd>{written(column, total)}</dd>
          </div>
        );
      })}
    </dl>
  );
}

interface OfPeriod {
  readonly asked: Asked;
  readonly period: Span;
}

/** With the totals of the period before this one. */
function Compared({
  asked,
  period,
  ask,
  table,
}: OfPeriod & { readonly ask: number; readonly table: AnalysisTable }) {
  const before = useMemo(() => periodBefore(period), [period]);
  const { course, failure } = useAnswer(asked, before, ask);
  return (
    <>
      <FailureNotice failure={failure} what={TEXT.analysis.notRead} />
      <Totals table={table} before={course} />
    </>
  );
}

interface OfTable extends OfPeriod {
  readonly table: AnalysisTable;
  readonly times: readonly Time[];
}

function AnswerTable({ table, asked, period, times }: OfTable) {
  const [order, setOrder] = useState<{ readonly column: number; readonly falls: boolean }>();
  const rows = useMemo(() => sorted(table.rows, order), [table, order]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: with the keyboard, a wide table scrolls only from inside.
    <section class="scroll answer" tabIndex={0} aria-label={TEXT.analysis.table}>
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
                  <CellOf
                    column={table.columns[index] ?? ''}
                    {...{ asked, period, times, table, row, cell }}
                  />
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

interface CellProps extends OfTable {
  readonly column: string;
  readonly row: readonly Cell[];
  readonly cell: Cell;
}

/** A group leads to the same question about it alone, a subscription and a message to what was sent. */
function CellOf({ asked, period, times, table, column, row, cell }: CellProps) {
  const text = written(column, cell);
  const id = String(cell);
  const service = asked.service || String(row[table.columns.indexOf('service')] ?? '');
  if (cell === '') return text;
  if (column === 'message' || column === 'payment') {
    return <a href={hrefOf({ screen: column, id }, service)}>{text}</a>;
  }
  if (column === 'subscription' && service !== '' && asked.question !== 'not-acknowledged') {
    return <a href={messagesOf(id, service, period)}>{text}</a>;
  }
  const isGroup = DIMENSIONS.includes(column as Dimension);
  const next = isGroup ? narrowed(asked, column as Dimension, id, times, period.until) : asked;
  return next === asked ? (
    <bdi>{text}</bdi>
  ) : (
    <a href={hrefOf({ screen: 'analysis', parameters: parametersOf(next) })}>{text}</a>
  );
}

function messagesOf(id: string, service: string, { since, until }: Span): string {
  return hrefOf({ screen: 'messages', id, filter: { since, until } }, service);
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
