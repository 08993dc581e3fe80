import { useState } from 'preact/hooks';
import type { SubscriptionView } from '../../functions/core/subscription/subscription-view.ts';
import { problemKind } from '../api/failure.ts';
import { useLive, useNow } from '../api/live.ts';
import { go } from '../app/use-route.ts';
import { nameAmong } from '../subscriptions/subscription.ts';
import { TEXT } from '../texts.ts';
import { FailureNotice } from '../view/failure-notice.tsx';
import { TextField } from '../view/field.tsx';
import { Outside } from '../view/outside.tsx';
import { Loading, Screen } from '../view/screen.tsx';
import { visible } from '../words/visible.ts';
import { Courses } from './courses.tsx';
import { LanesChart } from './lanes-chart.tsx';
import { SequenceNote } from './sequence-note.tsx';
import { lanesOf } from './timeline.ts';
import { usePayment } from './use-payment.ts';

const LOOK_EVERY_MS = 5_000;

export function PaymentScreen({ id }: { readonly id: string | undefined }) {
  return (
    <Screen
      title={
        id === undefined ? (
          TEXT.payment.find
        ) : (
          <>
            {TEXT.payment.one} <Outside text={id} />
          </>
        )
      }
      name={id === undefined ? TEXT.payment.find : `${TEXT.payment.one} ${visible(id)}`}
    >
      <FindPayment id={id} />
      {id !== undefined && <Payment key={id} id={id} />}
    </Screen>
  );
}

function FindPayment({ id = '' }: { readonly id: string | undefined }) {
  const [typed, setTyped] = useState(id);
  return (
    <form
      class="find"
      onSubmit={(event) => {
        event.preventDefault();
        if (typed.trim() !== '') go({ screen: 'payment', id: typed.trim() });
      }}
    >
      <TextField
        id="payment-id"
        label={TEXT.payment.id}
        hint={TEXT.payment.hint}
        type="search"
        value={typed}
        typed={setTyped}
      />
      <button type="submit" class={id === '' ? 'main' : ''}>
        {TEXT.payment.show}
      </button>
    </form>
  );
}

function Payment({ id }: { readonly id: string }) {
  const { data, failure, refresh, more, isReadingMore } = usePayment(id, LOOK_EVERY_MS);
  const subscriptions = useLive<{ subscriptions: readonly SubscriptionView[] }>('/subscriptions');
  const isOpen = data?.messages.some(({ waits_for }) => waits_for !== undefined) ?? false;
  const nowMs = useNow(isOpen ? LOOK_EVERY_MS : undefined);
  if (problemKind(failure) === 'not-found') {
    return (
      <div class="empty">
        <p>{TEXT.payment.none}</p>
      </div>
    );
  }
  const named = (subscriptionId: string) => {
    const all = subscriptions.data?.subscriptions ?? [];
    const found = all.find(({ subscription_id }) => subscription_id === subscriptionId);
    return found === undefined ? TEXT.payment.deleted(subscriptionId) : nameAmong(found, all);
  };
  return (
    <>
      <FailureNotice failure={failure} what={TEXT.payment.notRead} again={refresh} />
      {data === undefined ? (
        failure === undefined && <Loading lines={8} />
      ) : (
        <>
          {data.sequence && <SequenceNote sequence={data.sequence} />}
          {data.messages.length > 0 && (
            <>
              <p class="soft">{TEXT.payment.scale}</p>
              <LanesChart lanes={lanesOf(data, nowMs)} nameOf={named} />
              <Courses messages={data.messages} nameOf={named} />
            </>
          )}
          {data.next_cursor !== undefined && (
            <p class="more">
              <button type="button" aria-disabled={isReadingMore} onClick={() => isReadingMore || more()}>
                {TEXT.messages.more}
              </button>
            </p>
          )}
        </>
      )}
    </>
  );
}
