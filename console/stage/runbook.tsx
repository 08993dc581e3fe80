import { TEXT } from '../texts.ts';

/** A section of docs/operations.md, by its anchor: an alarm's name, where it is about one. */
export function Runbook({ section }: { readonly section: string }) {
  return (
    <a href={`docs/operations.html#${section}`} target="_blank" rel="noreferrer">
      {TEXT.stage.section[section] ?? section}
    </a>
  );
}
