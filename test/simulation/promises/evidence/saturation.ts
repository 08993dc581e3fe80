import type { World } from '../../world.ts';

interface Span {
  readonly fromMs: number;
  readonly untilMs: number;
}

const spansOfWorlds = new WeakMap<World, readonly Span[]>();
/** Workers that become free take what waits, one batch after the other. */
const AFTERWARDS_MS = 1_000;

/** Provisioned pollers may have used up their ten receives of a second, in each of two queues. */
export function receivesMs({ plan }: World): number {
  return plan.pollers === undefined ? 0 : 2_000;
}

/** How long within a span `match`, `deliver` or `wake` had no free worker. */
export function saturatedMs(world: World, fromMs: number, untilMs: number): number {
  let spans = spansOfWorlds.get(world);
  if (spans === undefined) {
    spans = (['match', 'deliver', 'wake'] as const).flatMap((worker) => fullSpans(world, worker));
    spansOfWorlds.set(world, spans);
  }
  return spans.reduce((sum, span) => {
    const overlapMs = Math.min(untilMs, span.untilMs + AFTERWARDS_MS) - Math.max(fromMs, span.fromMs);
    return sum + Math.max(0, overlapMs);
  }, 0);
}

function fullSpans({ invocations, plan, endedAtMs }: World, worker: keyof World['plan']['workers']): Span[] {
  const changes = invocations
    .filter(({ name }) => name.startsWith(worker))
    .flatMap((one) => [
      { atMs: one.receivedAtMs, by: 1 },
      { atMs: one.endedAtMs ?? endedAtMs, by: -1 },
    ])
    .sort((one, other) => one.atMs - other.atMs || one.by - other.by);
  const spans: Span[] = [];
  let busy = 0;
  let fullSinceMs: number | undefined;
  for (const { atMs, by } of changes) {
    busy += by;
    if (busy >= plan.workers[worker]) {
      fullSinceMs ??= atMs;
    } else if (fullSinceMs !== undefined) {
      spans.push({ fromMs: fullSinceMs, untilMs: atMs });
      fullSinceMs = undefined;
    }
  }
  return spans;
}
