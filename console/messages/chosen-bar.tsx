import { useState } from 'preact/hooks';
import { isPing } from '../../functions/core/catalogue/ping-names.ts';
import type { MessageSummary } from '../../functions/core/message/message-view.ts';
import { useChange } from '../api/change.ts';
import { useMayManage } from '../app/session.ts';
import { TEXT } from '../texts.ts';
import { FailureNotice } from '../view/failure-notice.tsx';
import { saveCsv } from '../view/save-csv.ts';
import { counted } from '../words/numbers.ts';
import { isFinal, lastAnswer, tookMs } from './message-state.ts';

interface ChosenBarProps {
  readonly messages: readonly MessageSummary[];
  readonly chosen: ReadonlySet<string>;
  readonly forget: () => void;
  readonly done: () => void;
}

/** What can be done with the messages that were chosen; without any, with all that are listed. */
export function ChosenBar({ messages, chosen, forget, done }: ChosenBarProps) {
  const { isUnderWay, failure, send } = useChange<unknown>();
  const [sent, setSent] = useState<string>();
  const mayManage = useMayManage();
  const those = messages.filter(({ message_id }) => chosen.has(message_id));
  const again = those.filter(mayBeSentAgain);
  const text = TEXT.messages;
  return (
    <div class={those.length === 0 ? 'actions idle' : 'actions'}>
      {those.length > 0 && <strong>{text.chosen(counted(those.length, 'message'))}</strong>}
      {mayManage && again.length > 0 && (
        <button
          type="button"
          aria-disabled={isUnderWay}
          onClick={async () => {
            let number = 0;
            // One after another: each goes behind what its payment has waiting.
            for (const { message_id } of again) {
              const path = `/messages/${encodeURIComponent(message_id)}/resend`;
              if ((await send({ method: 'POST', path })) === undefined) break;
              number += 1;
              setSent(text.sentAgain(number, again.length));
            }
            done();
          }}
        >
          {text.sendAgain(again.length)}
        </button>
      )}
      <button
        type="button"
        onClick={() => saveCsv(tableOf(those.length === 0 ? messages : those), 'messages')}
      >
        {TEXT.analysis.csv}
      </button>
      {those.length > 0 && (
        <button type="button" class="quiet" onClick={forget}>
          {text.chooseNone}
        </button>
      )}
      <span role="status" class="soft">
        {sent}
      </span>
      <FailureNotice failure={failure} what={TEXT.resend.failed} />
    </div>
  );
}

function mayBeSentAgain(message: MessageSummary): boolean {
  return (
    (isFinal(message) || message.state === 'retrying') &&
    message.body_erased_at === undefined &&
    !isPing(message)
  );
}

/** The list as a table whose names are those of the API. */
function tableOf(messages: readonly MessageSummary[]) {
  return {
    columns: [
      'admitted_at',
      'event_type',
      'payment_id',
      'message_id',
      'state',
      'state_reason',
      'attempt_count',
      'took_ms',
      'last_answer',
    ],
    rows: messages.map((one) => [
      one.admitted_at,
      one.event_type,
      one.payment_id,
      one.message_id,
      one.state,
      one.state_reason ?? '',
      one.attempt_count,
      tookMs(one) ?? '',
      lastAnswer(one) ?? '',
    ]),
  };
}
