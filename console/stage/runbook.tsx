/** A section of docs/operations.md, by its anchor or by an alarm's name. */
export function Runbook({ section }: { readonly section: string }) {
  const anchor = `#${section}`;
  return (
    <a href={`docs/operations.html${anchor}`} target="_blank" rel="noreferrer">
      {anchor}
    </a>
  );
}
