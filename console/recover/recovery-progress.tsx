import type { RecoveryView } from '../../functions/core/message/recovery-view.ts';
import { useChange } from '../api/change.ts';
import { problemKind } from '../api/failure.ts';
import { useLive } from '../api/live.ts';
import { hrefOf } from '../app/route.ts';
import { useMayManage } from '../app/session.ts';
import { wordOf } from '../messages/message-state.ts';
import { subscriptionPath } from '../subscriptions/subscription.ts';
import { TEXT } from '../texts.ts';
import { Badge } from '../view/badge.tsx';
import { FailureNotice } from '../view/failure-notice.tsx';
import { Moment } from '../view/moment.tsx';
import { Empty, Read } from '../view/read.tsx';
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
  const path = `${subscriptionPath(id)}/recoveries/${encodeURIComponent(recoveryId)}`;
  const stop = useChange<RecoveryView>();
  const mayManage = useMayManage();
  const live = useLive<RecoveryView>(path, (recovery) =>
    recovery === undefined || recovery.state === 'running' ? LOOK_EVERY_MS : LOOK_AT_ENDED_EVERY_MS,
  );
  const another = <a href={hrefOf({ screen: 'recover', id })}>{TEXT.recover.another}</a>;
  if (problemKind(live.failure) === 'not-found') {
    return (
      <Empty>
        {TEXT.recover.gone} {another}
      </Empty>
    );
  }
  return (
    <Read live={live} what={TEXT.recover.notRead}>
      {(recovery) => (
        <section class="found">
          <div class="row-head" role="status">
            <Badge tone={TONES[recovery.state]} word={TEXT.recover.state[recovery.state]} />
            <span>
              {TEXT.recover.told(
                counted(recovery.examined_count, 'message'),
                counted(recovery.resent_count, 'message'),
              )}
            </span>
          </div>
          {recovery.state === 'running' && (
            <progress
              aria-label={TEXT.recover.progress}
              {...(expected === undefined ? {} : { max: expected, value: recovery.resent_count })}
            />
          )}
          {recovery.state === 'running' && mayManage && (
            <p>
              <button
                type="button"
                aria-disabled={stop.isUnderWay}
                onClick={async () => {
                  const answer = await stop.send({ method: 'POST', path: `${path}/stop` });
                  if (answer) live.put(answer.body);
                }}
              >
                {TEXT.recover.stop}
              </button>
            </p>
          )}
          <FailureNotice failure={stop.failure} what={TEXT.recover.notStopped} />
          <p>
            {TEXT.recover.span} <Moment at={recovery.since} /> –{' '}
            <Moment at={recovery.until} from={recovery.since} />
            {[
              ...(recovery.states ?? []).map((state) => wordOf(state).toLowerCase()),
              ...(recovery.event_types ?? []),
              ...(recovery.payment_count === undefined ? [] : [counted(recovery.payment_count, 'payment')]),
              ...(recovery.filter === undefined ? [] : [JSON.stringify(recovery.filter)]),
            ].map((one) => (
              <> · {visible(one)}</>
            ))}
          </p>
          <p>
            <a
              href={hrefOf({
                screen: 'messages',
                id,
                filter: { since: recovery.since, until: recovery.until },
              })}
            >
              {TEXT.recover.became}
            </a>
            {recovery.state !== 'running' && <> · {another}</>}
          </p>
        </section>
      )}
    </Read>
  );
}
