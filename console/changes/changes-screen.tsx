import { useState } from 'preact/hooks';
import type { ChangeView } from '../../functions/core/api/change.ts';
import { type Failure, failureOf } from '../api/failure.ts';
import { useLive } from '../api/live.ts';
import { known } from '../api/queries.ts';
import { hrefOf, queryOf } from '../app/route.ts';
import { useIsOfStage, useSignedIn } from '../app/session.ts';
import { TEXT } from '../texts.ts';
import { InWords } from '../view/in-words.tsx';
import { Moment } from '../view/moment.tsx';
import { Pairs } from '../view/pairs.tsx';
import { Empty, Read } from '../view/read.tsx';
import { Screen } from '../view/screen.tsx';
import { actorText, differencesOf, operationText } from './changed.ts';
import { keyOf, type Page, withNewest, withOlder } from './listed.ts';

const LOOK_EVERY_MS = 15_000;
const PAGE = '50';

/** Who changed what. @param subscription only changes of this one */
export function ChangesScreen({ subscription }: { readonly subscription: string | undefined }) {
  const { api } = useSignedIn();
  const path = `/changes${queryOf({ limit: PAGE, subscription_id: subscription })}`;
  const list = `list of ${path}`;
  const live = useLive<Page>(list, LOOK_EVERY_MS, async (_api, _path, signal) => {
    const { body } = await api.request<Page>('GET', path, { signal });
    return { body: withNewest(known<Page>(list), body), etag: undefined };
  });
  const [olderFailure, setOlderFailure] = useState<Failure>();

  const more = async (cursor: string) => {
    try {
      const { body } = await api.request<Page>('GET', `${path}&cursor=${encodeURIComponent(cursor)}`);
      live.put(withOlder(known<Page>(list) ?? body, body));
      setOlderFailure(undefined);
    } catch (error) {
      setOlderFailure(failureOf(error));
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
      <Read live={{ ...live, failure: live.failure ?? olderFailure }} what={TEXT.changes.notRead} lines={6}>
        {({ changes, next_cursor: cursor }) =>
          changes.length === 0 && cursor === undefined ? (
            <Empty>{TEXT.changes.none}</Empty>
          ) : (
            <>
              <ul class="rows">
                {changes.map((change) => (
                  <Change key={keyOf(change)} change={change} />
                ))}
              </ul>
              {cursor !== undefined && (
                <p class="more">
                  <button type="button" onClick={() => more(cursor)}>
                    {TEXT.changes.more}
                  </button>
                </p>
              )}
            </>
          )
        }
      </Read>
    </Screen>
  );
}

function Change({ change }: { readonly change: ChangeView }) {
  const { at, operation, subscription_id, message_id } = change;
  const differences = differencesOf(change, useIsOfStage());
  return (
    <li class="row">
      <div class="row-head">
        <strong>{operationText(operation)}</strong>
        <span class="soft">
          <Moment at={at} /> · {actorText(change)}
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
        <Pairs
          class="small"
          rows={differences.map(({ name, sentence }) => [name, <InWords sentence={sentence} />])}
        />
      )}
    </li>
  );
}
