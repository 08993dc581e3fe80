/** Where the runbook can be read, set when the page is made; null where that is not known. */
declare const RUNBOOK_URL: string | null;

/** A section of docs/operations.md: a link, or its name for whoever has the repository. */
export function Runbook({ section }: { readonly section: string }) {
  const anchor = `#${section}`;
  return RUNBOOK_URL === null ? (
    <code>{anchor}</code>
  ) : (
    <a href={RUNBOOK_URL + anchor} target="_blank" rel="noreferrer">
      {anchor}
    </a>
  );
}
