/** Text that scrolls in a place of its own. A keyboard can reach and scroll it. */
export function LongText({ name, text }: { readonly name: string; readonly text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable
    <section class="text" aria-label={name} tabIndex={0}>
      <pre>{text}</pre>
    </section>
  );
}
