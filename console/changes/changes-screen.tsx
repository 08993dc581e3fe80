import { useState } from 'preact/hooks';
import type { ChangeView } from '../../functions/core/api/change.ts';
import { type Failure, failureOf } from '../api/failure.ts';
import { useLive } from '../api/live.ts';
import { hrefOf, queryOf } from '../app/route.ts';
import { useSignedIn } from '../app/session.ts';
import { TEXT } from '../texts.ts';
import { FailureNotice } from '../view/failure-notice.tsx';
import { Moment } from '../view/moment.tsx';
import { Loading, Screen } from '../view/screen.tsx';
import { visible } from '../words/visible.ts';
import { differencesOf } from './changed.ts';

const LOOK_EVERY_MS = 15_000;
const PAGE = '50';

interface Page {
  readonly changes: readonly ChangeView[];
  readonly next_cursor?: string;
}

/** Who changed what. @param subscription only changes of this one */
export function ChangesScreen({ subscription }: { readonly subscription: string | undefined }) {
  const { api } = useSignedIn();
  const path = `/changes${queryOf({ limit: PAGE, subscription_id: subscription })}`;
  const first = useLive<Page>(path, LOOK_EVERY_MS);
  const [older, keep] = useState<Page>();
  const [olderFailure, fail] = useState<Failure>();
  const known = new Set(first.data?.changes.map(keyOf));
  const changes = [
    ...(first.data?.changes ?? []),
    ...(older?.changes ?? []).filter((one) => !known.has(keyOf(one))),
  ];
  const cursor = older === undefined ? first.data?.next_cursor : older.next_cursor;

  const more = async () => {
    try {
      const { body } = await api.request<Page>('GET', `${path}&cursor=${encodeURIComponent(cursor ?? '')}`);
      keep({ ...body, changes: [...changes.slice(first.data?.changes.length), ...body.changes] });
      fail(undefined);
    } catch (error) {
      fail(failureOf(error));
    }
  };
  return (
    <Screen
      title={TEXT.changes.title}
      name={TEXT.changes.title}
      up={
        subscription === undefined
          ? undefined
          : { href: hrefOf({ screen: 'subscription', id: subscription }), label: TEXT.changes.back }
      }
    >
      <p class="lead">{subscription === undefined ? TEXT.changes.lead : TEXT.changes.leadOfOne}</p>
      <FailureNotice
        failure={first.failure ?? olderFailure}
        what={TEXT.changes.notRead}
        again={first.refresh}
      />
      {first.data === undefined ? (
        first.failure === undefined && <Loading lines={6} />
      ) : changes.length === 0 && cursor === undefined ? (
        <div class="empty">
          <p>{TEXT.changes.none}</p>
        </div>
      ) : (
        <>
          <ul class="rows">
            {changes.map((change) => (
              <Change key={keyOf(change)} change={change} />
            ))}
          </ul>
          {cursor !== undefined && (
            <p class="more">
              <button type="button" onClick={more}>
                {TEXT.changes.more}
              </button>
            </p>
          )}
        </>
      )}
    </Screen>
  );
}

function Change({ change }: { readonly change: ChangeView }) {
  const { at, operation, token_id, subscription_id, message_id } = change;
  const words = TEXT.operation[operation as keyof typeof TEXT.operation] ?? visible(operation);
  const differences = differencesOf(change);
  return (
    <li class="row">
      <div class="row-head">
        <strong>{words}</strong>
        <span class="soft">
          <Moment at={at} /> ·{' '}
          {token_id === undefined ? TEXT.changes.operator : TEXT.changes.token(visible(token_id))}
        </span>
      </div>
      {message_id !== undefined ? (
        <p>
          <a href={hrefOf({ screen: 'message', id: message_id })}>{message_id}</a>
        </p>
      ) : (
        subscription_id !== undefined && (
          <p>
            <a href={hrefOf({ screen: 'subscription', id: subscription_id })}>{subscription_id}</a>
          </p>
        )
      )}
      {differences.length > 0 && (
        <dl class="pairs small">
          {differences.map(({ name, text }) => (
            <div key={name}>
              <dt>{visible(name)}</dt>
              <dd>
                <bdi>{visible(text)}</bdi>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </li>
  );
}

function keyOf({ at, request_id }: ChangeView): string {
  return `${at} ${request_id}`;
}
