import type { RecoveryView } from '../../functions/core/message/recovery-view.ts';
import { problemKind } from '../api/failure.ts';
import { useLive } from '../api/live.ts';
import { hrefOf } from '../app/route.ts';
import { wordOf } from '../messages/message-state.ts';
import { subscriptionPath } from '../subscriptions/subscription.ts';
import { TEXT } from '../texts.ts';
import { Badge } from '../view/badge.tsx';
import { FailureNotice } from '../view/failure-notice.tsx';
import { Moment } from '../view/moment.tsx';
import { Loading } from '../view/screen.tsx';
import { counted } from '../words/numbers.ts';
import { visible } from '../words/visible.ts';

const LOOK_EVERY_MS = 1_000;
const LOOK_AT_ENDED_EVERY_MS = 60_000;
const TONES = { running: 'waits', done: 'good', stopped: 'off' } as const;

interface RecoveryProgressProps {
  readonly id: string;
  readonly recoveryId: string;
  /** How many messages it was counted to send again. Absent: nobody knows, as after opening its address. */
  readonly expected: number | undefined;
}

/** A recovery while it runs, and after that. */
export function RecoveryProgress({ id, recoveryId, expected }: RecoveryProgressProps) {
  const { data, failure, refresh } = useLive<RecoveryView>(
    `${subscriptionPath(id)}/recoveries/${encodeURIComponent(recoveryId)}`,
    (recovery) =>
      recovery === undefined || recovery.state === 'running' ? LOOK_EVERY_MS : LOOK_AT_ENDED_EVERY_MS,
  );
  const another = <a href={hrefOf({ screen: 'recover', id })}>{TEXT.recover.another}</a>;
  if (problemKind(failure) === 'not-found') {
    return (
      <div class="empty">
        <p>
          {TEXT.recover.gone} {another}
        </p>
      </div>
    );
  }
  return (
    <>
      <FailureNotice failure={failure} what={TEXT.recover.notRead} again={refresh} />
      {data === undefined ? (
        failure === undefined && <Loading />
      ) : (
        <section class="found">
          <div class="row-head" role="status">
            <Badge tone={TONES[data.state]} word={TEXT.recover.state[data.state]} />
            <span>
              {TEXT.recover.told(
                counted(data.examined_count, 'message'),
                counted(data.resent_count, 'message'),
              )}
            </span>
          </div>
          {data.state === 'running' && (
            <progress
              aria-label={TEXT.recover.progress}
              {...(expected === undefined ? {} : { max: expected, value: data.resent_count })}
            />
          )}
          <p>
            {TEXT.recover.span} <Moment at={data.since} /> – <Moment at={data.until} from={data.since} />
            {[
              ...(data.states ?? []).map((state) => wordOf(state).toLowerCase()),
              ...(data.event_types ?? []),
            ].map((one) => (
              <> · {visible(one)}</>
            ))}
          </p>
          <p>
            <a href={hrefOf({ screen: 'messages', id, filter: { since: data.since, until: data.until } })}>
              {TEXT.recover.became}
            </a>
            {data.state !== 'running' && <> · {another}</>}
          </p>
        </section>
      )}
    </>
  );
}
