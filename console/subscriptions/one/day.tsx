import { useState } from 'preact/hooks';
import type { SubscriptionView } from '../../../functions/core/subscription/subscription-view.ts';
import { useLive } from '../../api/live.ts';
import { hrefOf, type Route } from '../../app/route.ts';
import { TEXT } from '../../texts.ts';
import { ColumnHeads } from '../../view/column-heads.tsx';
import { FailureNotice } from '../../view/failure-notice.tsx';
import { Moment } from '../../view/moment.tsx';
import { count, share } from '../../words/numbers.ts';
import { durationOr } from '../../words/time.ts';
import { waitingOf } from '../health.ts';
import { subscriptionPath } from '../subscription.ts';
import { DayChart, dayName } from './day-chart.tsx';
import { type Hour, type Length, latest, RANGES, type Range, totals } from './hours.ts';
import { lastHour, type Shown } from './last-hour.ts';

const LOOK_EVERY_MS = 15_000;
/** The messages of an hour. */
const READ_EVERY_MS = 60_000;

/** The last hour, day, week or four weeks in numbers and as a chart. */
export function Day({ subscription }: { readonly subscription: SubscriptionView }) {
  const { subscription_id: id } = subscription;
  const path = subscriptionPath(id);
  const [range, setRange] = useState<Range>('day');
  const { by } = RANGES[range];
  // The path of an hour is none of the API: it takes several.
  const statistics = useLive<Shown>(
    `${path}/statistics?by=${by}`,
    range === 'hour' ? READ_EVERY_MS : LOOK_EVERY_MS,
    range !== 'hour'
      ? undefined
      : async ({ request }, _, signal) => {
          const body = await lastHour(
            async <Body,>(of: string) => (await request<Body>('GET', `${path}/${of}`, { signal })).body,
            Date.now(),
          );
          return { etag: undefined, body, requests: 1 + (body.pages ?? 0) };
        },
  );
  const hours = statistics.data && latest(statistics.data.periods, range);
  const all = hours && totals(hours);
  const waiting = statistics.data?.waiting;
  return (
    <section>
      <div class="row-head ranges">
        <h2>{TEXT.day.title[range]}</h2>
        {Object.keys(RANGES).map((one) => (
          <button
            key={one}
            type="button"
            class="quiet"
            aria-pressed={one === range}
            onClick={() => setRange(one as Range)}
          >
            {TEXT.day.range[one as Range]}
          </button>
        ))}
      </div>
      <FailureNotice failure={statistics.failure} what={TEXT.day.notRead} again={statistics.refresh} />
      {hours && range === 'hour' && (
        <p class="soft">
          {TEXT.day.accepted(count(statistics.data?.messages ?? 0))} <Moment at={hours[0]?.since ?? ''} />
          {TEXT.day.notOlder}
        </p>
      )}
      <dl class="figures">
        <Figure name={TEXT.day.rate} value={all && (all.rate === null ? '–' : share(all.rate))} />
        <Figure
          name={TEXT.day.delivered}
          value={all && count(all.delivered)}
          to={{ screen: 'messages', id, filter: { state: 'succeeded', since: hours?.[0]?.since ?? '' } }}
        />
        <Figure name={TEXT.day.failed} value={all && count(all.failed)} />
        <Figure
          name={TEXT.day.waiting}
          value={waiting && `${count(waiting.count)}${waiting.is_more ? '+' : ''}`}
          to={waitingOf(subscription)}
        />
        <Figure name={TEXT.day.worstP95} value={all && durationOr(all.p95)} />
        <Figure name={TEXT.day.worstAcknowledged} value={all && durationOr(all.acknowledged)} />
      </dl>
      <div class="day">
        {hours &&
          (all?.rate === null ? (
            range !== 'hour' && <p class="soft">{TEXT.day.nothing}</p>
          ) : (
            <DayChart hours={hours} by={by} />
          ))}
      </div>
      {hours && all?.rate !== null && <Table hours={hours} by={by} />}
    </section>
  );
}

interface FigureProps {
  readonly name: string;
  readonly value: string | undefined;
  /** Where the messages are that it counts. @default - nowhere in one list */
  readonly to?: Route;
}

function Figure({ name, value, to }: FigureProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {value === undefined ? (
          <span class="soft">…</span>
        ) : to === undefined || value === '0' ? (
          value
        ) : (
          <a href={hrefOf(to)}>{value}</a>
        )}
      </dd>
    </div>
  );
}

/** The chart for those who do not see it. */
function Table({ hours, by }: { readonly hours: readonly Hour[]; readonly by: Length }) {
  return (
    <details>
      <summary>{TEXT.day.table}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: with the keyboard, too, it can be scrolled sideways */}
      <section class="scroll" aria-label={TEXT.day.table} tabIndex={0}>
        <table>
          <ColumnHeads
            names={[
              TEXT.day[by],
              TEXT.day.rate,
              TEXT.day.delivered,
              TEXT.day.failed,
              TEXT.day.p95,
              TEXT.day.acknowledged,
            ]}
          />
          <tbody>
            {hours.map(({ since, rate, delivered, failed, p95, acknowledged }) => (
              <tr key={since}>
                <th scope="row">{by === 'day' ? dayName(since) : <Moment at={since} />}</th>
                <td>{rate === null ? '–' : share(rate)}</td>
                <td>{count(delivered)}</td>
                <td>{count(failed)}</td>
                <td>{durationOr(p95)}</td>
                <td>{durationOr(acknowledged)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  );
}
