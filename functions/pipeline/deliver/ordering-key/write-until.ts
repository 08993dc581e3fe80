import { RefusedError } from '../../../core/errors/refused-error.ts';
import type { DeliverPorts } from '../ports.ts';

/** Between two tries to write, in ms. */
export const WRITING_SLEEP_MS = 500;

/** Retries a write while there is time: what was sent and is not on record would be sent again. */
export async function writeUntil<T>(
  endsAtMs: number,
  write: () => Promise<T>,
  ports: Pick<DeliverPorts, 'now' | 'after' | 'observer'>,
): Promise<T> {
  for (;;) {
    try {
      return await write();
    } catch (error) {
      if (ports.now() + WRITING_SLEEP_MS >= endsAtMs || isLasting(error)) {
        throw error;
      }
      ports.observer.internalError(error, []);
      await ports.after(WRITING_SLEEP_MS);
    }
  }
}

/** A write that is refused for what it says will be refused again. */
function isLasting(error: unknown): boolean {
  return error instanceof RefusedError;
}
