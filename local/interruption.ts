/** A signal of the terminal asked this process to end. */
export class InterruptedError extends Error {
  override readonly name = 'InterruptedError';
}

/** npm hands the terminal's Ctrl-C on to us, who have had it already: what follows so soon is the same one. */
const SAME_WITHIN_MS = 500;
const LOOK_EVERY_MS = 1_000;

/**
 * Aborted by the first SIGINT, SIGTERM or SIGHUP, and when the npm that started this process is gone. A second signal ends this process at once; the
 * launcher of the emulator notices that and clears everything away by itself.
 */
export function interruption(log: (line: string) => void): AbortSignal {
  const interrupted = new AbortController();
  let firstAtMs: number | undefined;
  const interrupt = (name: string) => {
    firstAtMs = performance.now();
    log('Stopping');
    interrupted.abort(new InterruptedError(name));
  };
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => {
      if (firstAtMs === undefined) {
        interrupt(name);
      } else if (performance.now() - firstAtMs > SAME_WITHIN_MS) {
        process.exit(130);
      }
    });
  }
  if (process.env.npm_lifecycle_event !== undefined) {
    // npm's shell does not hand on a signal that was sent to npm alone, as supervisors do.
    whenOrphaned(() => {
      if (firstAtMs === undefined) {
        interrupt('the end of npm');
      }
    });
  }
  return interrupted.signal;
}

function whenOrphaned(tell: () => void): void {
  const parent = process.ppid;
  const looking = setInterval(() => {
    if (process.ppid !== parent) {
      clearInterval(looking);
      tell();
    }
  }, LOOK_EVERY_MS);
  looking.unref();
}
