/** What came of acting on several things: the answers, and why some have none. */
export interface Isolated<Item, Answer> {
  readonly answers: readonly Answer[];
  readonly failed: ReadonlyMap<Item, unknown>;
}

/**
 * Acts on several things together and, should that be refused, on each alone, at the same time: what one of them causes stays with it. Never rejects.
 * Without a fault it is one call; none for nothing.
 */
export async function isolateFailures<Item, Answer>(
  items: readonly Item[],
  act: (items: readonly Item[]) => Promise<Answer>,
): Promise<Isolated<Item, Answer>> {
  if (items.length === 0) {
    return { answers: [], failed: new Map() };
  }
  try {
    return { answers: [await act(items)], failed: new Map() };
  } catch (error) {
    if (items.length === 1) {
      return { answers: [], failed: new Map(items.map((item) => [item, error])) };
    }
  }
  const alone = await Promise.all(items.map((item) => isolateFailures([item], act)));
  return {
    answers: alone.flatMap(({ answers }) => answers),
    failed: new Map(alone.flatMap(({ failed }) => [...failed])),
  };
}
