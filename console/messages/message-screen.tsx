import { hrefOf } from '../app/route.ts';
import { nameOf } from '../subscriptions/subscription.ts';
import { TEXT } from '../texts.ts';
import { Screen } from '../view/screen.tsx';
import { visible } from '../words/visible.ts';
import { MessageDetail, useMessage } from './message-detail.tsx';

export function MessageScreen({ id }: { readonly id: string }) {
  const found = useMessage(id);
  const { data } = found.live;
  const name = data === undefined ? TEXT.message.title : visible(data.event_type);
  return (
    <Screen
      title={name}
      name={name}
      up={
        data && {
          href: hrefOf({ screen: 'messages', id: data.subscription_id, filter: {} }),
          label: found.subscription ? (
            <>
              {TEXT.message.of} <bdi>{nameOf(found.subscription)}</bdi>
            </>
          ) : (
            TEXT.messages.title
          ),
        }
      }
    >
      <MessageDetail id={id} found={found} routeTo={(other) => ({ screen: 'message', id: other })} />
    </Screen>
  );
}
