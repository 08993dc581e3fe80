import { queryOf } from '../app/route.ts';
import { useSignedIn } from '../app/session.ts';
import { TEXT } from '../texts.ts';

/** A section of docs/operations.md, by its anchor: an alarm's name, where it is about one. Its commands name the stage. */
export function Runbook({ section }: { readonly section: string }) {
  const stage = useSignedIn().portal?.deployment?.name;
  return (
    <a href={`docs/operations.html${queryOf({ stage })}#${section}`} target="_blank" rel="noreferrer">
      {TEXT.stage.section[section] ?? section}
    </a>
  );
}
