/** What an effect came to, to be told later: its value, or what it threw. */
export function settled<T>(effect: () => T): () => T {
  try {
    const value = effect();
    if (value instanceof Promise) {
      // Whoever waits for it hears of a rejection only once the answer is back.
      value.catch(() => undefined);
    }
    return () => value;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}
