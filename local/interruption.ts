/** A signal asked this process to end. */
export class InterruptedError extends Error {
  override readonly name = 'InterruptedError';
}

/**
 * npm passes the terminal's Ctrl-C on to us, though we have received it ourselves: a second signal this soon
 * is the same.
 */
const SAME_WITHIN_MS = 500;
const LOOK_EVERY_MS = 1_000;

/**
 * Aborts on the first SIGINT, SIGTERM or SIGHUP, and when the npm that started this process has ended. A
 * second signal ends this process at once; the emulator's launcher notices and cleans up by itself.
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
    // Supervisors signal npm alone, and its shell does not pass that on.
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
