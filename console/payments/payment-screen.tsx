import { useState } from 'preact/hooks';
import { problemKind } from '../api/failure.ts';
import { useLive, useNow } from '../api/live.ts';
import { go } from '../app/use-route.ts';
import { screenOf } from '../search/found.ts';
import { nameAmong, type Subscriptions } from '../subscriptions/subscription.ts';
import { TEXT } from '../texts.ts';
import { TextField } from '../view/field.tsx';
import { Moment } from '../view/moment.tsx';
import { Outside } from '../view/outside.tsx';
import { Empty, Read } from '../view/read.tsx';
import { Screen } from '../view/screen.tsx';
import { visible } from '../words/visible.ts';
import { Courses } from './courses.tsx';
import { LanesChart } from './lanes-chart.tsx';
import { MoreButton } from './more-button.tsx';
import { lanesOf, type Timeline } from './timeline.ts';
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
        // Whoever has copied the id of a message wants that.
        if (typed.trim() !== '') go(screenOf(typed.trim()));
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
  const { more, isReadingMore, ...live } = usePayment(id, LOOK_EVERY_MS);
  const subscriptions = useLive<Subscriptions>('/subscriptions');
  const isOpen = live.data?.messages.some(({ waits_for }) => waits_for !== undefined) ?? false;
  const nowMs = useNow(isOpen ? LOOK_EVERY_MS : undefined);
  if (problemKind(live.failure) === 'not-found') return <Empty>{TEXT.payment.none}</Empty>;
  const named = (subscriptionId: string) => {
    const all = subscriptions.data?.subscriptions ?? [];
    const found = all.find(({ subscription_id }) => subscription_id === subscriptionId);
    return found === undefined ? TEXT.payment.deleted(subscriptionId) : nameAmong(found, all);
  };
  return (
    <Read live={live} what={TEXT.payment.notRead} lines={8}>
      {({ sequence, messages, next_cursor }) => (
        <>
          {sequence && <SequenceNote sequence={sequence} />}
          {messages.length > 0 && (
            <>
              <p class="soft">{TEXT.payment.scale}</p>
              <LanesChart lanes={lanesOf({ messages }, nowMs)} nameOf={named} />
              <Courses messages={messages} nameOf={named} />
            </>
          )}
          {next_cursor !== undefined && <MoreButton isReading={isReadingMore} read={more} />}
        </>
      )}
    </Read>
  );
}

/** How far the publisher's numbers are, where something is missing; nothing while all is well. */
function SequenceNote({ sequence }: { readonly sequence: NonNullable<Timeline['sequence']> }) {
  const { next, next_awaited_until, early, missing } = sequence;
  if (early.length === 0 && missing.length === 0) return null;
  return (
    <div class="notice waits">
      {early.length > 0 && (
        <p>
          {TEXT.payment.awaited(next, early.map((event) => event.sequence).join(', '))}
          {next_awaited_until !== undefined && (
            <>
              {' '}
              {TEXT.payment.awaitedUntil} <Moment at={next_awaited_until} />.
            </>
          )}
        </p>
      )}
      {missing.length > 0 && <p>{TEXT.payment.missing(missing.join(', '))}</p>}
    </div>
  );
}
