/** A signal of the terminal asked this process to end. */
export class InterruptedError extends Error {
  override readonly name = 'InterruptedError';
}

/** npm hands the terminal's Ctrl-C on to us, who have had it already: what follows so soon is the same one. */
const SAME_WITHIN_MS = 500;

/**
 * Aborted by the first SIGINT, SIGTERM or SIGHUP. A second one ends this process at once; the launcher of the emulator notices that and clears
 * everything away by itself.
 */
export function interruption(log: (line: string) => void): AbortSignal {
  const interrupted = new AbortController();
  let firstAtMs: number | undefined;
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => {
      if (firstAtMs === undefined) {
        firstAtMs = performance.now();
        log('Stopping');
        interrupted.abort(new InterruptedError(name));
      } else if (performance.now() - firstAtMs > SAME_WITHIN_MS) {
        process.exit(130);
      }
    });
  }
  return interrupted.signal;
}
