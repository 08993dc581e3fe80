/** Memory of every process of the stack, in MB. */
export interface Sample {
  /** Since the soak began. */
  readonly atMs: number;
  readonly processes: readonly ProcessSample[];
  readonly waiting: number;
}

interface ProcessSample {
  readonly pid: number;
  /** The function that it works for, or `emulator`. */
  readonly kind: string;
  readonly mb: number;
}

/** How the memory of one process developed after the first fifth of its life. */
export interface Trend {
  readonly kind: string;
  readonly mb_per_hour: number;
  /** What the line grew by over the judged part. */
  readonly grown_mb: number;
  readonly allowed_mb: number;
  /** From its first sample to its last one. */
  readonly lived_hours: number;
  readonly samples: number;
}

/** What a heap may still take after the first fifth of its life, however short that is. */
const SLACK_MB = 25;
/** The bound of what may be added hour by hour. */
const WORKER_MB_PER_HOUR = 5;
/** The emulator keeps every table, queue and log in memory: a bound for each message that was published. */
const EMULATOR_MB_PER_MESSAGE = 0.1;
/** A process that lived for a smaller share of the run than this shows nothing: its memory went with it. */
const LEAST_LIFE = 0.4;
const LEAST_SAMPLES = 3;
export const EMULATOR = 'emulator';
const HOUR_MS = 3_600_000;

/**
 * The linear trend of each kind: of those of its processes that lived long enough, the one that grew most.
 */
export function trendsOf(samples: readonly Sample[], published: number): Trend[] {
  const runHours = ((samples.at(-1)?.atMs ?? 0) - (samples[0]?.atMs ?? 0)) / HOUR_MS;
  const points = samples.flatMap(({ atMs, processes }) =>
    processes.map(({ pid, kind, mb }) => ({ pid, kind, hours: atMs / HOUR_MS, mb })),
  );
  const worst = new Map<string, Trend>();
  for (const life of Map.groupBy(points, ({ pid, kind }) => `${kind} ${pid}`).values()) {
    const trend = trendOf(life, published);
    if (trend === undefined || trend.lived_hours < LEAST_LIFE * runHours) continue;
    const known = worst.get(trend.kind);
    if (known === undefined || excessOf(trend) > excessOf(known)) worst.set(trend.kind, trend);
  }
  return [...worst.values()].sort((a, b) => a.kind.localeCompare(b.kind));
}

/** The kinds that were there most of the time, and none of whose processes lived long enough. */
export function unprovenKinds(samples: readonly Sample[], trends: readonly Trend[]): string[] {
  const times = new Map<string, number>();
  for (const { processes } of samples) {
    for (const kind of new Set(processes.map((one) => one.kind))) {
      times.set(kind, (times.get(kind) ?? 0) + 1);
    }
  }
  const proven = new Set(trends.map(({ kind }) => kind));
  return [...times].flatMap(([kind, count]) =>
    count > samples.length / 2 && !proven.has(kind) ? [kind] : [],
  );
}

interface Point {
  readonly kind: string;
  readonly hours: number;
  readonly mb: number;
}

function trendOf(life: readonly Point[], published: number): Trend | undefined {
  const [first, last] = [life[0], life.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const lived = last.hours - first.hours;
  const judged = life.filter(({ hours }) => hours >= first.hours + lived / 5);
  if (judged.length < LEAST_SAMPLES) return undefined;
  const hours = last.hours - (judged[0]?.hours ?? 0);
  const slope = slopeOf(judged);
  const growing = first.kind === EMULATOR ? EMULATOR_MB_PER_MESSAGE * published : WORKER_MB_PER_HOUR * hours;
  return {
    kind: first.kind,
    mb_per_hour: rounded(slope),
    grown_mb: rounded(slope * hours),
    allowed_mb: rounded(SLACK_MB + growing),
    lived_hours: Math.round(lived * 1_000) / 1_000,
    samples: judged.length,
  };
}

function excessOf({ grown_mb, allowed_mb }: Trend): number {
  return grown_mb - allowed_mb;
}

/** Least squares. */
function slopeOf(points: readonly Point[]): number {
  const mean = (of: (point: Point) => number) =>
    points.reduce((total, point) => total + of(point), 0) / points.length;
  const [x, y] = [mean(({ hours }) => hours), mean(({ mb }) => mb)];
  const spread = mean(({ hours }) => (hours - x) ** 2);
  return spread === 0 ? 0 : mean(({ hours, mb }) => (hours - x) * (mb - y)) / spread;
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}
