import { TEXT } from '../texts.ts';

/** In place of what a session of the whole stage does not see. */
export function Withheld({ what }: { readonly what?: string }) {
  return (
    <span class="soft withheld" title={TEXT.withheld.why}>
      {what === undefined ? TEXT.withheld.all : TEXT.withheld.of(what)}
    </span>
  );
}
