/** Progress of a run. */
export interface Progress {
  readonly phase: string;
  readonly sent: number;
  readonly delivered: number;
  readonly waiting: number;
  /** Undefined when unknown. */
  readonly secondsLeft?: number;
}

function progressLine({ phase, sent, delivered, waiting, secondsLeft }: Progress): string {
  const counts = `${phase}: sent ${sent}, delivered ${delivered}, waiting ${waiting}`;
  return secondsLeft === undefined ? counts : `${counts}, ${Math.max(0, Math.ceil(secondsLeft))} s left`;
}

/** A terminal shows one line that changes; a log gets one every ten seconds. */
const INTERVAL_MS = { terminal: 500, log: 10_000 };

/** Shows progress on stderr until stopped. */
export function showProgress(progress: () => Progress, stream: NodeJS.WriteStream = process.stderr) {
  let shown = 0;
  const show = () => {
    const line = progressLine(progress());
    stream.write(stream.isTTY ? `\r${line.padEnd(shown)}` : `${line}\n`);
    shown = Math.max(shown, line.length);
  };
  const timer = setInterval(show, stream.isTTY ? INTERVAL_MS.terminal : INTERVAL_MS.log);
  return () => {
    clearInterval(timer);
    if (stream.isTTY && shown > 0) stream.write(`\r${' '.repeat(shown)}\r`);
  };
}
