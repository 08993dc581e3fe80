import { useState } from 'preact/hooks';
import type { MessageView } from '../../../functions/core/message/message-view.ts';
import { useChange } from '../../api/change.ts';
import { namesWith, useEventTypes } from '../../api/event-types.ts';
import { problemKind } from '../../api/failure.ts';
import { useLive } from '../../api/live.ts';
import { hrefOf } from '../../app/route.ts';
import { TEXT } from '../../texts.ts';
import { FailureNotice } from '../../view/failure-notice.tsx';
import { duration } from '../../words/time.ts';
import { visible } from '../../words/visible.ts';
import { subscriptionPath } from '../subscription.ts';

const LOOK_EVERY_MS = 1_000;

interface PingProps {
  readonly id: string;
  /** Whether a sample of an event type can be chosen in place of a bare ping. */
  readonly withSamples?: boolean;
  /** Called when it was delivered. */
  readonly succeeded?: (message: MessageView) => void;
}

/** Sends a test ping and tells what came back. */
export function Ping({ id, withSamples = false, succeeded }: PingProps) {
  const [sampleOf, setSampleOf] = useState('');
  const [messageId, setMessageId] = useState<string>();
  const { isUnderWay, failure, send } = useChange<{ message_id: string }>();
  return (
    <div class="ping">
      <div class="actions">
        <button
          type="button"
          aria-disabled={isUnderWay}
          onClick={async () => {
            setMessageId(undefined);
            const answer = await send({
              method: 'POST',
              path: `${subscriptionPath(id)}/ping`,
              ...(sampleOf === '' ? {} : { body: { sample_of: sampleOf } }),
            });
            setMessageId(answer?.body.message_id);
          }}
        >
          {TEXT.ping.send}
        </button>
        {withSamples && <SampleChoice sampleOf={sampleOf} choose={setSampleOf} />}
      </div>
      {sampleOf !== '' && <p class="soft">{TEXT.ping.marked(sampleOf)}</p>}
      <FailureNotice failure={failure} what={TEXT.ping.failed} />
      {messageId !== undefined && <PingResult key={messageId} messageId={messageId} succeeded={succeeded} />}
    </div>
  );
}

interface SampleChoiceProps {
  readonly sampleOf: string;
  readonly choose: (sampleOf: string) => void;
}

function SampleChoice({ sampleOf, choose }: SampleChoiceProps) {
  return (
    <select
      aria-label={TEXT.ping.what}
      value={sampleOf}
      onChange={(event) => choose(event.currentTarget.value)}
    >
      <option value="">{TEXT.ping.bare}</option>
      {namesWith(useEventTypes(), sampleOf).map((type) => (
        <option key={type} value={type}>
          {TEXT.ping.sample(type)}
        </option>
      ))}
    </select>
  );
}

interface PingResultProps {
  readonly messageId: string;
  readonly succeeded: PingProps['succeeded'];
}

function PingResult({ messageId, succeeded }: PingResultProps) {
  const [ended, setEnded] = useState(false);
  const { data, failure } = useLive<MessageView>(
    `/messages/${encodeURIComponent(messageId)}`,
    ended ? undefined : LOOK_EVERY_MS,
  );
  const attempt = data?.attempts.at(-1);
  if (data && attempt && !ended) {
    setEnded(true);
    if (data.state === 'succeeded') succeeded?.(data);
  }
  // The message is there once it has been attempted.
  const isUnderWay = problemKind(failure) === 'not-found' || attempt === undefined;
  const isGood = attempt !== undefined && attempt.failure_class === undefined;
  return (
    <div class={attempt === undefined ? 'notice' : `notice ${isGood ? 'good' : 'bad'}`} role="status">
      {attempt === undefined ? (
        <p>{TEXT.ping.underWay}</p>
      ) : (
        <p>
          {isGood
            ? TEXT.ping.delivered(attempt.status_code ?? 0, duration(attempt.duration_ms))
            : TEXT.ping.refused(
                visible(attempt.failure_reason ?? TEXT.failureClass[attempt.failure_class!]),
              )}{' '}
          <a href={hrefOf({ screen: 'message', id: messageId })}>{TEXT.ping.look}</a>
        </p>
      )}
      {!isUnderWay || problemKind(failure) === 'not-found' ? null : (
        <FailureNotice failure={failure} what={TEXT.ping.notRead} />
      )}
    </div>
  );
}
