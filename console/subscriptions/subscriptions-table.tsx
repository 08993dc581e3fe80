import { hrefOf } from '../app/route.ts';
import { TEXT } from '../texts.ts';
import { Badge } from '../view/badge.tsx';
import { ColumnHeads } from '../view/column-heads.tsx';
import { InWords } from '../view/in-words.tsx';
import { Moment } from '../view/moment.tsx';
import { count, counted } from '../words/numbers.ts';
import { byTrouble } from './by-trouble.ts';
import { CallbackUrl } from './callback-url.tsx';
import { waitingOf } from './health.ts';
import { type Hour, latest } from './one/hours.ts';
import { SmallDay } from './small-day.tsx';
import { nameAmong, type Subscriptions } from './subscription.ts';
import { useHealth } from './use-health.ts';

/** A line for each subscription, trouble first. */
export function SubscriptionsTable({ subscriptions }: Subscriptions) {
  return (
    <table class="list">
      <ColumnHeads names={Object.values(TEXT.subscriptions.columns)} />
      <tbody>
        {byTrouble(subscriptions).map((one) => (
          <Row key={one.subscription_id} subscription={one} name={nameAmong(one, subscriptions)} />
        ))}
      </tbody>
    </table>
  );
}

interface RowProps {
  readonly subscription: Subscriptions['subscriptions'][number];
  readonly name: string;
}

function Row({ subscription, name }: RowProps) {
  const { subscription_id: id, callback_url, live, statistics } = subscription;
  const { tone, word, why } = useHealth(subscription, statistics);
  const waiting = statistics?.waiting;
  return (
    <tr>
      <td>
        <a class="row-name" href={hrefOf({ screen: 'subscription', id })}>
          <bdi>{name}</bdi>
        </a>{' '}
        <span class="tag">{live ? TEXT.live : TEXT.test}</span>
        <div class="url soft">
          <CallbackUrl url={callback_url} />
        </div>
      </td>
      <td>
        <Badge tone={tone} word={word} />
      </td>
      <td>
        <SmallDay periods={statistics?.periods} />
      </td>
      <td class="number">
        {waiting !== undefined && waiting.count > 0 && (
          <a href={hrefOf(waitingOf(subscription))}>
            {TEXT.health.waiting(`${count(waiting.count)}${waiting.is_more ? '+' : ''}`)}
          </a>
        )}
      </td>
      <td class="small-text">
        {tone === 'good' ? (
          <LastFailed hours={latest(statistics?.periods ?? [])} />
        ) : (
          <InWords sentence={why} />
        )}
      </td>
    </tr>
  );
}

/** Of what is well: how many attempts failed in the last hour in which any did. */
function LastFailed({ hours }: { readonly hours: readonly Hour[] }) {
  const last = hours.findLast(({ failed }) => failed > 0);
  return last === undefined ? null : (
    <p class="soft">
      {TEXT.subscriptions.failedLately(counted(last.failed, 'failed attempt'))} <Moment at={last.since} />
    </p>
  );
}
