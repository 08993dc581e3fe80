import { useLive } from '../api/live.ts';
import { TEXT } from '../texts.ts';
import { FailureNotice } from '../view/failure-notice.tsx';
import { Loading } from '../view/screen.tsx';
import { count } from '../words/numbers.ts';
import { distance } from '../words/time.ts';
import { Runbook } from './runbook.tsx';

interface Queue {
  readonly runbook: string;
  readonly waiting: number;
  readonly oldest_seconds?: number;
}

interface Queues {
  readonly work: readonly Queue[];
  readonly dead_letters: readonly Queue[];
  readonly oldest_due_seconds: number;
  readonly stuck_payments: number;
  readonly messages_behind_circuits: number;
}

export function QueuesTable({ everyMs }: { readonly everyMs: number }) {
  const { data, failure, refresh } = useLive<Queues>('/stage/queues', everyMs);
  const text = TEXT.stage;
  if (data === undefined) {
    return failure ? (
      <FailureNotice failure={failure} what={text.queuesNotRead} again={refresh} />
    ) : (
      <Loading lines={6} />
    );
  }
  const age = (seconds: number | undefined) => (seconds ? distance(seconds * 1_000) : '–');
  const rows: readonly (readonly [name: string, waiting: string, oldest: string, runbook: string])[] = [
    ...data.work.map(
      ({ runbook, waiting, oldest_seconds }) =>
        [text.queue[runbook] ?? runbook, count(waiting), age(oldest_seconds), runbook] as const,
    ),
    [text.due, '', age(data.oldest_due_seconds), 'oldest-due'],
    [text.stuck, count(data.stuck_payments), '', 'keys-faulted'],
    [text.behind, count(data.messages_behind_circuits), '', 'circuit-storm'],
    ...data.dead_letters.map(
      ({ runbook, waiting }) =>
        [
          text.queue[runbook] ?? text.dead(runbook.replace('-dead-letters', '')),
          count(waiting),
          '',
          runbook,
        ] as const,
    ),
  ];
  return (
    <>
      <FailureNotice failure={failure} what={text.queuesNotRead} again={refresh} />
      <table class="wraps">
        <thead>
          <tr>
            {text.columns.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, waiting, oldest, runbook]) => (
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
  );
}
