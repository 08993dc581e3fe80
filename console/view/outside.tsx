import { visible } from '../words/visible.ts';

/**
 * Text that somebody outside wrote: shown as text whatever it holds, and kept from turning what is around it.
 */
export function Outside({ text }: { readonly text: string }) {
  return <bdi class="outside">{visible(text)}</bdi>;
}
