import { RefusedError } from '../../../core/errors/refused-error.ts';
import type { DeliverPorts } from '../ports.ts';

/** Between two tries to write. */
export const WRITING_SLEEP_MS = 500;

/** Writes again and again while there is time: given up, all that was just sent would be sent once more. */
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

/** What is refused for what it is will be refused again. */
function isLasting(error: unknown): boolean {
  return error instanceof RefusedError;
}
