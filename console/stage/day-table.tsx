import type { Live } from '../api/live.ts';
import { hrefOf } from '../app/route.ts';
import { Course } from '../subscriptions/small-day.tsx';
import { TEXT } from '../texts.ts';
import { ColumnHeads } from '../view/column-heads.tsx';
import { Read } from '../view/read.tsx';
import { count } from '../words/numbers.ts';
import { localTime } from '../words/time.ts';
import { isStatus, questionOf, totalOf } from './day.ts';
import type { ReadDay } from './use-day.ts';

/** With what ended. */
const MAX_LINES = 10;

/** What went wrong in the last day, each with its course, and the way to whose it is. */
export function DayTable({ live }: { readonly live: Live<ReadDay> }) {
  const text = TEXT.stage.day;
  return (
    <Read live={live} what={text.notRead} lines={3}>
      {({ lines, hours, isCut }) => (
        <>
          {isCut && <p>{text.cut}</p>}
          <table class="wraps">
            <ColumnHeads
              names={[...text.columns, `${TEXT.stage.since} ${localTime(hours.at(-2) ?? '', Date.now())}`]}
            />
            <tbody>
              {lines.slice(0, MAX_LINES).map((line) => {
                const max = Math.max(...line.hours);
                return (
                  <tr key={line.name}>
                    <th scope="row">
                      <a href={hrefOf({ screen: 'analysis', parameters: questionOf(line.name) })}>
                        {nameOf(line.name)}
                      </a>
                    </th>
                    <td>{count(totalOf(line))}</td>
                    <td>
                      <span class="small-charts">
                        <Course tone="tone-2" values={line.hours.map((value) => value / Math.max(1, max))} />
                        {count(max)}
                      </span>
                    </td>
                    <td>{count(totalOf({ hours: line.hours.slice(-2) }))}</td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        </>
      )}
    </Read>
  );
}

function nameOf(name: string): string {
  if (name === 'exhausted' || name === 'cancelled') return TEXT.messageState[name];
  const why = TEXT.failureClass as Readonly<Record<string, string>>;
  return TEXT.stage.day.failed(isStatus(name) ? TEXT.stage.cause.answers(name) : (why[name] ?? name));
}
