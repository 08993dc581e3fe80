import type { ComponentChildren } from 'preact';
import type { SubscriptionView } from '../../../functions/core/subscription/subscription-view.ts';
import { useIsOfStage } from '../../app/session.ts';
import { TEXT } from '../../texts.ts';
import { CopyButton } from '../../view/copy-button.tsx';
import { Moment } from '../../view/moment.tsx';
import { Outside } from '../../view/outside.tsx';
import { Pairs } from '../../view/pairs.tsx';
import { Withheld } from '../../view/withheld.tsx';
import { duration } from '../../words/time.ts';
import { CallbackUrl } from '../callback-url.tsx';
import { typesText } from '../subscription.ts';

export function Settings({ subscription }: { readonly subscription: SubscriptionView }) {
  const none = <span class="soft">{TEXT.settings.none}</span>;
  // Where it is empty, a session of the whole stage cannot tell.
  const unseen = useIsOfStage() ? <Withheld /> : none;
  const { extra_signatures, custom_header_names, rate_limit, contact, notices_url } = subscription;
  const rows: readonly (readonly [string, ComponentChildren])[] = [
    [TEXT.settings.callback_url, <CallbackUrl url={subscription.callback_url} />],
    [TEXT.settings.event_types, typesText(subscription.event_types)],
    [
      TEXT.settings.description,
      subscription.description ? <Outside text={subscription.description} /> : unseen,
    ],
    [TEXT.settings.timeout_ms, duration(subscription.timeout_ms)],
    [TEXT.settings.schedule, TEXT.schedule[subscription.schedule]],
    [TEXT.settings.rate_limit, rate_limit === undefined ? none : TEXT.settings.perSecond(rate_limit)],
    [TEXT.settings.contact, contact === undefined ? unseen : <Outside text={contact} />],
    [TEXT.settings.notices_url, notices_url === undefined ? none : <Outside text={notices_url} />],
    [TEXT.settings.extra_signatures, extra_signatures.length === 0 ? none : extra_signatures.join(', ')],
    [
      TEXT.settings.custom_header_names,
      custom_header_names.length === 0 ? unseen : <Outside text={custom_header_names.join(', ')} />,
    ],
    [TEXT.settings.created, <Moment at={subscription.created_at} />],
    [
      TEXT.settings.id,
      <>
        <code>{subscription.subscription_id}</code>{' '}
        <CopyButton text={() => subscription.subscription_id} label={TEXT.settings.copyId} />
      </>,
    ],
  ];
  return (
    <section>
      <h2>{TEXT.settings.title}</h2>
      <Pairs rows={rows} />
    </section>
  );
}
