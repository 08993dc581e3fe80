import type { MessageView } from '../../functions/core/message/message-view.ts';
import { hrefOf } from '../app/route.ts';
import { useMayManage } from '../app/session.ts';
import { TEXT } from '../texts.ts';
import { Moment } from '../view/moment.tsx';
import { adviceOf } from './advice.ts';
import { isFinal } from './message-state.ts';

/** What failed and what to do first, before all details. Nothing where nothing failed. */
export function WhatFailed({ message }: { readonly message: MessageView }) {
  const mayManage = useMayManage();
  const advice = adviceOf(message);
  if (advice === undefined) return null;
  const { attempt, failed, first, isOfUrl } = advice;
  return (
    <div class={isFinal(message) ? 'notice bad' : 'notice waits'}>
      <p>
        <strong>
          {TEXT.attempts.number(attempt.attempt)}: {failed}
        </strong>{' '}
        <span class="soft">
          <Moment at={attempt.started_at} precision="millisecond" />
        </span>
      </p>
      <p>
        {TEXT.advice.todo} {first}
        {isOfUrl && mayManage && (
          <>
            {' '}
            <a href={hrefOf({ screen: 'edit', id: message.subscription_id })}>{TEXT.advice.edit}</a>
          </>
        )}
      </p>
      {isFinal(message) && mayManage && <p>{TEXT.advice.last}</p>}
    </div>
  );
}
