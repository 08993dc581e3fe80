import { TEXT } from '../../texts.ts';
import { CopyButton } from '../../view/copy-button.tsx';

/** A new secret. @param secret undefined: its answer was lost, and nothing shows it again */
export function SecretOnce({ secret }: { readonly secret: string | undefined }) {
  return secret === undefined ? (
    <p class="notice waits">{TEXT.secrets.lost}</p>
  ) : (
    <>
      <p>{TEXT.secrets.once}</p>
      <pre class="secret">{secret}</pre>
      <CopyButton text={() => secret} label={TEXT.secrets.copy} />
    </>
  );
}
