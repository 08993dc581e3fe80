/**
 * Names of event types without the words that all of them begin with, for where there is little room: `paid`
 * and `voided` of `invoice.paid` and `invoice.voided`. A single name stays whole.
 */
export function shortNames(names: Iterable<string>): (name: string) => string {
  const shared = sharedWords([...new Set(names)]);
  // The type of a sample has a prefix before it.
  return (name) => name.replace(shared, '');
}

function sharedWords([first = '', ...others]: readonly string[]): string {
  let shared = '';
  for (const [word] of first.matchAll(/[^._-]*[._-]+/g)) {
    const longer = shared + word;
    const isShared = [first, ...others].every((name) => name.startsWith(longer) && name !== longer);
    if (others.length === 0 || !isShared) break;
    shared = longer;
  }
  return shared;
}
