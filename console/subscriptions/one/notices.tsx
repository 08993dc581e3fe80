import type { NoticesView } from '../../../functions/core/notices/notices-view.ts';
import type { SubscriptionView } from '../../../functions/core/subscription/subscription-view.ts';
import { useLive } from '../../api/live.ts';
import { TEXT } from '../../texts.ts';
import { Moment } from '../../view/moment.tsx';
import { Outside } from '../../view/outside.tsx';
import { Read } from '../../view/read.tsx';
import { subscriptionPath } from '../subscription.ts';

const LOOK_EVERY_MS = 30_000;

/** What was told of a subscription, when, to whom and how; nothing where it names nobody. */
export function Notices({ subscription }: { readonly subscription: SubscriptionView }) {
  const { subscription_id, contact, notices_url } = subscription;
  const isTold = contact !== undefined || notices_url !== undefined;
  const path = isTold ? `${subscriptionPath(subscription_id)}/notices` : undefined;
  const live = useLive<NoticesView>(path, LOOK_EVERY_MS);
  if (!isTold) return null;
  return (
    <section>
      <h2>{TEXT.notices.title}</h2>
      <Read live={live} what={TEXT.notices.notRead} lines={2}>
        {(view) => <Told {...view} />}
      </Read>
    </section>
  );
}

function Told({ contact, public_key, notices }: NoticesView) {
  const text = TEXT.notices;
  return (
    <>
      {contact && contact.state !== 'confirmed' && <p>{text[contact.state]}</p>}
      {public_key && (
        <p class="soft">
          {text.key}: <code>{public_key}</code>
        </p>
      )}
      {notices.length === 0 ? (
        <p class="soft">{text.none}</p>
      ) : (
        <ul>
          {notices.map(({ notice_id, kind, by, to, result, at }) => (
            <li key={`${notice_id}${by}`}>
              <Moment at={at} />: {text.kind[kind]}, {text.result[result]} {text.by[by]} <Outside text={to} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
