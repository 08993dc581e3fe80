import { useIsOfStage } from '../app/session.ts';
import { TEXT } from '../texts.ts';
import { Outside } from '../view/outside.tsx';
import { Withheld } from '../view/withheld.tsx';

/** Where webhooks are sent, if they are. Whoever runs the stage sees the host, since a path may hold a secret. */
export function CallbackUrl({ url }: { readonly url: string }) {
  const isOfStage = useIsOfStage();
  if (url === '') return <span class="soft">{TEXT.settings.pulled}</span>;
  return (
    <>
      <Outside text={url} />
      {isOfStage && (
        <>
          {' '}
          <Withheld what={TEXT.withheld.path} />
        </>
      )}
    </>
  );
}
