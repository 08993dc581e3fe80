import { useState } from 'preact/hooks';
import type { SubscriptionView } from '../../../functions/core/subscription/subscription-view.ts';
import { useChange } from '../../api/change.ts';
import { hrefOf } from '../../app/route.ts';
import { useMayCreate } from '../../app/session.ts';
import { go } from '../../app/use-route.ts';
import { TEXT } from '../../texts.ts';
import { Dialog } from '../../view/dialog.tsx';
import { Screen } from '../../view/screen.tsx';
import { SecretOnce } from '../secrets/secret-once.tsx';
import { EMPTY, requestOf } from './draft.ts';
import { SubscriptionForm } from './subscription-form.tsx';

type Created = SubscriptionView & { readonly signing_secret?: string };

export function CreateScreen() {
  const [draft, setDraft] = useState(EMPTY);
  const [created, setCreated] = useState<Created>();
  const mayCreate = useMayCreate();
  const { isUnderWay, failure, send } = useChange<Created>();
  const leave = () => created && go({ screen: 'subscription', id: created.subscription_id });
  return (
    <Screen
      title={TEXT.create.title}
      name={TEXT.create.title}
      up={{ href: hrefOf({ screen: 'subscriptions' }), label: TEXT.subscriptions.title }}
    >
      {mayCreate ? (
        <SubscriptionForm
          draft={draft}
          change={setDraft}
          known={[]}
          mayChooseLive
          headerNames={[]}
          failure={failure}
          what={TEXT.create.failed}
          submit={async () => {
            const answer = await send({ method: 'POST', path: '/subscriptions', body: requestOf(draft) });
            if (answer) setCreated(answer.body);
          }}
          actions={
            <>
              <button type="submit" class="main" aria-disabled={isUnderWay}>
                {TEXT.create.submit}
              </button>
              <a class="button" href={hrefOf({ screen: 'subscriptions' })}>
                {TEXT.cancel}
              </a>
            </>
          }
        />
      ) : (
        <p class="soft">{TEXT.create.mayNot}</p>
      )}
      {created && (
        <Dialog title={TEXT.create.done} close={leave}>
          <SecretOnce secret={created.signing_secret} />
          <div class="actions">
            <button type="button" class="main" onClick={leave}>
              {TEXT.secrets.stored}
            </button>
          </div>
        </Dialog>
      )}
    </Screen>
  );
}
