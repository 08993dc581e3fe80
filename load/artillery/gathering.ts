/**
 * Batches items that arrive within `withinMs` of each other. Each caller learns the outcome of its own item.
 *
 * @param put rejects for all items of a batch
 */
export function gathering<T>(
  put: (batch: readonly T[]) => Promise<unknown>,
  { max, withinMs }: { readonly max: number; readonly withinMs: number },
): (item: T) => Promise<void> {
  let waiting: { item: T; resolve: () => void; reject: (error: unknown) => void }[] = [];
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    const batch = waiting;
    waiting = [];
    put(batch.map(({ item }) => item)).then(
      () => {
        for (const { resolve } of batch) resolve();
      },
      (error) => {
        for (const { reject } of batch) reject(error);
      },
    );
  };
  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (waiting.length >= max) flush();
      else timer ??= setTimeout(flush, withinMs);
    });
}
