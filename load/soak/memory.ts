/** Memory by kind of process: the mean of its processes, in MB. */
export interface Sample {
  /** Since the soak began. */
  readonly atMs: number;
  readonly meanMb: Readonly<Record<string, number>>;
  readonly waiting: number;
}

/** How one kind's memory developed after the first fifth of the run. */
export interface Trend {
  readonly kind: string;
  readonly mb_per_hour: number;
  /** What the line grew by over the judged part. */
  readonly grown_mb: number;
  readonly allowed_mb: number;
  readonly samples: number;
}

/** What a heap may still take after the first fifth, however short the run. */
const SLACK_MB = 40;
/** The bound of what may be added hour by hour. */
export const WORKER_MB_PER_HOUR = 5;
/** The emulator keeps every table, queue and log in memory: a bound for each message that was published. */
export const EMULATOR_MB_PER_MESSAGE = 0.1;
const EMULATOR = 'emulator';
const HOUR_MS = 3_600_000;

/** The linear trend of each kind; none for a kind that was seen fewer than three times. */
export function trendsOf(samples: readonly Sample[], published: number): Trend[] {
  const [first, last] = [samples[0]?.atMs ?? 0, samples.at(-1)?.atMs ?? 0];
  const judged = samples.filter(({ atMs }) => atMs >= first + (last - first) / 5);
  const kinds = new Set(judged.flatMap(({ meanMb }) => Object.keys(meanMb)));
  return [...kinds].sort().flatMap((kind) => {
    const points = judged.flatMap(({ atMs, meanMb }) => {
      const mb = meanMb[kind];
      return mb === undefined ? [] : [{ hours: atMs / HOUR_MS, mb }];
    });
    if (points.length < 3) return [];
    const hours = (points.at(-1)?.hours ?? 0) - (points[0]?.hours ?? 0);
    const slope = slopeOf(points);
    const growing = kind === EMULATOR ? EMULATOR_MB_PER_MESSAGE * published : WORKER_MB_PER_HOUR * hours;
    return [
      {
        kind,
        mb_per_hour: rounded(slope),
        grown_mb: rounded(slope * hours),
        allowed_mb: rounded(SLACK_MB + growing),
        samples: points.length,
      },
    ];
  });
}

/** Least squares. */
function slopeOf(points: readonly { readonly hours: number; readonly mb: number }[]): number {
  const mean = (of: (point: (typeof points)[number]) => number) =>
    points.reduce((total, point) => total + of(point), 0) / points.length;
  const [x, y] = [mean(({ hours }) => hours), mean(({ mb }) => mb)];
  const spread = mean(({ hours }) => (hours - x) ** 2);
  return spread === 0 ? 0 : mean(({ hours, mb }) => (hours - x) * (mb - y)) / spread;
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}
