import type { RecoveryView } from '../../functions/core/message/recovery-view.ts';
import { problemKind } from '../api/failure.ts';
import { useLive } from '../api/live.ts';
import { hrefOf } from '../app/route.ts';
import { subscriptionPath } from '../subscriptions/subscription.ts';
import { TEXT } from '../texts.ts';
import { Badge } from '../view/badge.tsx';
import { FailureNotice } from '../view/failure-notice.tsx';
import { Moment } from '../view/moment.tsx';
import { Loading } from '../view/screen.tsx';
import { counted } from '../words/numbers.ts';

const LOOK_EVERY_MS = 1_000;
const LOOK_AT_ENDED_EVERY_MS = 60_000;
const TONES = { running: 'waits', done: 'good', stopped: 'off' } as const;

/** A recovery while it runs, and after that. */
export function RecoveryProgress({ id, recoveryId }: { readonly id: string; readonly recoveryId: string }) {
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
          {data.state === 'running' && <progress aria-label={TEXT.recover.progress} />}
          <p>
            {TEXT.recover.span} <Moment at={data.since} /> – <Moment at={data.until} />
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
