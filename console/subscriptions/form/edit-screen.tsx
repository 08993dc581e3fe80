import { useState } from 'preact/hooks';
import type { SubscriptionView } from '../../../functions/core/subscription/subscription-view.ts';
import { useChange } from '../../api/change.ts';
import { problemKind } from '../../api/failure.ts';
import type { Found } from '../../api/live.ts';
import { hrefOf } from '../../app/route.ts';
import { useMayManage } from '../../app/session.ts';
import { go } from '../../app/use-route.ts';
import { TEXT } from '../../texts.ts';
import { SubscriptionFrame } from '../one/frame.tsx';
import { subscriptionPath } from '../subscription.ts';
import { changeOf, draftOf } from './draft.ts';
import { SubscriptionForm } from './subscription-form.tsx';

export function EditScreen({ id }: { readonly id: string }) {
  const mayManage = useMayManage();
  return (
    <SubscriptionFrame id={id} tab="overview">
      {(subscription) =>
        mayManage ? <EditForm subscription={subscription} /> : <p class="soft">{TEXT.session.readOnlyWhy}</p>
      }
    </SubscriptionFrame>
  );
}

interface EditFormProps {
  readonly subscription: Found<SubscriptionView>;
}

function EditForm({ subscription: { data, etag, put, refresh } }: EditFormProps) {
  // What was there when the form was opened: later readings must not change what is being typed.
  const [{ before, version }, setOpened] = useState({ before: data, version: etag });
  const [draft, setDraft] = useState(() => draftOf(data));
  const { isUnderWay, failure, send, forget } = useChange<SubscriptionView>();
  const { subscription_id: id } = data;
  const wanted = changeOf(before, draft);
  const isStale = problemKind(failure) === 'precondition-failed';
  return (
    <>
      <h2>{TEXT.edit.title}</h2>
      <SubscriptionForm
        draft={draft}
        change={setDraft}
        known={before.event_types}
        mayChooseLive={false}
        headerNames={before.custom_header_names}
        failure={failure}
        what={TEXT.edit.failed}
        submit={async () => {
          const answer = await send({
            method: 'PATCH',
            path: subscriptionPath(id),
            body: wanted,
            ifMatch: version,
          });
          if (answer) {
            put(answer.body, answer.etag);
            go({ screen: 'subscription', id });
          } else {
            refresh();
          }
        }}
        actions={
          <>
            {isStale && (
              <button
                type="button"
                // Until the newer state has been read.
                disabled={etag === version}
                onClick={() => {
                  setOpened({ before, version: etag });
                  forget();
                }}
              >
                {TEXT.edit.onTop}
              </button>
            )}
            <button
              type="submit"
              class="main"
              aria-disabled={isUnderWay}
              disabled={isStale || Object.keys(wanted).length === 0}
            >
              {TEXT.edit.submit}
            </button>
            <a class="button" href={hrefOf({ screen: 'subscription', id })}>
              {TEXT.cancel}
            </a>
          </>
        }
      />
    </>
  );
}
