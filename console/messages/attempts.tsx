import type { MessageView } from '../../functions/core/message/message-view.ts';
import { useIsOfStage } from '../app/session.ts';
import { TEXT } from '../texts.ts';
import { Badge } from '../view/badge.tsx';
import { LongText } from '../view/long-text.tsx';
import { Away, Moment } from '../view/moment.tsx';
import { Withheld } from '../view/withheld.tsx';
import { duration } from '../words/time.ts';
import { visible } from '../words/visible.ts';

/** Every attempt with what came back, the latest first. */
export function Attempts({ message }: { readonly message: MessageView }) {
  const { attempts } = message;
  return (
    <section>
      <h2>{TEXT.attempts.title}</h2>
      {message.earlier_may_be_missing && <p class="soft">{TEXT.attempts.lastMayBeMissing}</p>}
      {attempts.length === 0 ? (
        <p class="soft">{TEXT.attempts.none}</p>
      ) : (
        <ol class="course-of-attempts" reversed>
          {message.next_attempt_at !== undefined && (
            <li class="next">
              {TEXT.health.nextTry} <Away at={message.next_attempt_at} />
            </li>
          )}
          {attempts.toReversed().map((attempt, index, shown) => (
            <Attempt
              key={`${attempt.attempt} ${attempt.started_at}`}
              attempt={attempt}
              isTold={tellsMore(attempt, shown[index - 1])}
              before={shown[index + 1]}
            />
          ))}
        </ol>
      )}
    </section>
  );
}

type OneAttempt = MessageView['attempts'][number];

/** Whether its answer is shown at once: it failed, and not with the same answer as the one above it. */
function tellsMore({ failure_class, response_body }: OneAttempt, above: OneAttempt | undefined): boolean {
  return failure_class !== undefined && response_body !== above?.response_body;
}

interface AttemptProps {
  readonly attempt: OneAttempt;
  readonly isTold: boolean;
  readonly before: OneAttempt | undefined;
}

function Attempt({ attempt, isTold, before }: AttemptProps) {
  const { started_at, duration_ms, status_code, failure_class, failure_reason, response_body } = attempt;
  const isOfStage = useIsOfStage();
  const marks = (['probe', 'late', 'earlier_may_be_missing'] as const).filter((mark) => attempt[mark]);
  return (
    <li class={failure_class === undefined ? 'good' : 'bad'}>
      <div class="row-head">
        <strong>{TEXT.attempts.number(attempt.attempt)}</strong>
        <Badge
          tone={failure_class === undefined ? 'good' : 'bad'}
          word={
            status_code === undefined ? TEXT.failureClass[failure_class ?? 'connect'] : String(status_code)
          }
        />
        <span class="soft">
          <Moment at={started_at} precision="millisecond" /> ·{' '}
          {TEXT.attempts.took(duration(Math.round(duration_ms)))}
          {before &&
            ` · ${TEXT.attempts.after(duration(Date.parse(started_at) - Date.parse(before.started_at)))}`}
        </span>
      </div>
      {failure_reason !== undefined && <p>{visible(failure_reason)}</p>}
      {marks.map((mark) => (
        <p key={mark} class="soft">
          {TEXT.attempts.mark[mark]}
        </p>
      ))}
      {isOfStage && failure_class !== undefined && (
        <p>
          <Withheld what={TEXT.withheld.answer} />
        </p>
      )}
      {response_body !== undefined && response_body !== '' && (
        <details open={isTold}>
          <summary>{TEXT.attempts.answer}</summary>
          <LongText name={TEXT.attempts.answer} text={visible(response_body)} />
        </details>
      )}
    </li>
  );
}
