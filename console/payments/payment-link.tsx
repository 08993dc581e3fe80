import { hrefOf } from '../app/route.ts';
import { Outside } from '../view/outside.tsx';

/** A payment's id, and the way to its timeline. */
export function PaymentLink({ id }: { readonly id: string }) {
  return (
    <a href={hrefOf({ screen: 'payment', id })}>
      <Outside text={id} />
    </a>
  );
}
