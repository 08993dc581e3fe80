/** How a run stands. */
export interface Progress {
  readonly phase: string;
  readonly sent: number;
  readonly delivered: number;
  readonly waiting: number;
  /** Undefined: nobody knows. */
  readonly secondsLeft?: number;
}

export function progressLine({ phase, sent, delivered, waiting, secondsLeft }: Progress): string {
  const counts = `${phase}: sent ${sent}, delivered ${delivered}, waiting ${waiting}`;
  return secondsLeft === undefined ? counts : `${counts}, ${Math.max(0, Math.ceil(secondsLeft))} s left`;
}

/** Somebody who watches sees one line that changes; a log gets one every ten seconds. */
const EVERY_MS = { watched: 500, logged: 10_000 };

/** Tells how a run stands on stderr, until it is stopped. */
export function showProgress(progress: () => Progress, stream: NodeJS.WriteStream = process.stderr) {
  let shown = 0;
  const show = () => {
    const line = progressLine(progress());
    stream.write(stream.isTTY ? `\r${line.padEnd(shown)}` : `${line}\n`);
    shown = Math.max(shown, line.length);
  };
  const timer = setInterval(show, stream.isTTY ? EVERY_MS.watched : EVERY_MS.logged);
  return () => {
    clearInterval(timer);
    if (stream.isTTY && shown > 0) stream.write(`\r${' '.repeat(shown)}\r`);
  };
}
