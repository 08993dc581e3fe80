import type { Live } from '../api/live.ts';
import { TEXT } from '../texts.ts';
import { ColumnHeads } from '../view/column-heads.tsx';
import { Read } from '../view/read.tsx';
import { count } from '../words/numbers.ts';
import { distance } from '../words/time.ts';
import { Runbook } from './runbook.tsx';
import type { Queues } from './trend.ts';

export function QueuesTable({ live }: { readonly live: Live<Queues> }) {
  const text = TEXT.stage;
  return (
    <Read live={live} what={text.queuesNotRead} lines={6}>
      {(queues) => (
        <>
          {queues.dead_letters.every(({ waiting }) => waiting === 0) && <p>{TEXT.stage.dead.none}</p>}
          <table class="wraps">
            <ColumnHeads names={text.columns} />
            <tbody>
              {rowsOf(queues).map(([name, waiting, oldest, runbook]) => (
                <tr key={runbook}>
                  <th scope="row">{name}</th>
                  <td>{waiting}</td>
                  <td>{oldest}</td>
                  <td>
                    <Runbook section={runbook} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
    </Read>
  );
}

function rowsOf(
  queues: Queues,
): readonly (readonly [string, waiting: string, oldest: string, runbook: string])[] {
  const text = TEXT.stage;
  const age = (seconds: number | undefined) => (seconds ? distance(seconds * 1_000) : '–');
  return [
    ...queues.work.map(
      ({ runbook, waiting, oldest_seconds }) =>
        [text.queue[runbook] ?? runbook, count(waiting), age(oldest_seconds), runbook] as const,
    ),
    [text.due, '', age(queues.oldest_due_seconds), 'oldest-due'],
    [text.stuck, count(queues.stuck_payments), '', 'payments-stuck'],
    [text.behind, count(queues.messages_behind_circuits), '', 'circuit-storm'],
  ];
}
