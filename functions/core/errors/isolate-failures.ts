/** The result of acting on several items: the answers, and the errors of the items without one. */
export interface Isolated<Item, Answer> {
  readonly answers: readonly Answer[];
  readonly failed: ReadonlyMap<Item, unknown>;
}

/**
 * Acts on all items in one call. If that call fails, acts on each item alone, concurrently, so that one bad
 * item fails only itself. Never rejects. No items: no call.
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
