/** More lines than this help nobody. */
const MAX_FAULTS = 20;

/** An event catalogue that cannot be used. Its message has a line for each fault. */
export class CatalogueError extends Error {
  override readonly name = 'CatalogueError';
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    const rest = faults.length > MAX_FAULTS ? [`and ${faults.length - MAX_FAULTS} more`] : [];
    const lines = [...faults.slice(0, MAX_FAULTS), ...rest].map((fault) => `\n- ${fault}`);
    super(`The event catalogue cannot be used:${lines.join('')}`);
    this.faults = faults;
  }
}

/** @throws CatalogueError if there is a fault */
export function refuse(faults: readonly string[]): void {
  if (faults.length > 0) {
    throw new CatalogueError(faults);
  }
}
