import * as fc from 'fast-check';
import { type WorldPlan, worldPlan } from './plans/world-plan.ts';
import { brokenPromises } from './promises/all-promises.ts';
import { runWorld, type World } from './world.ts';

export interface Failure {
  readonly seed: number;
  readonly broken: readonly string[];
  /** The smallest world found that breaks a promise too, and what it breaks. */
  readonly smallest: { readonly plan: WorldPlan; readonly broken: readonly string[] };
}

/** A failing world is made smaller for so long. */
const SHRINKING_MS = 15_000;

/** So many worlds share each turn of the event loop, which costs more than what most turns have to do. */
const AT_ONCE = 16;

interface Options {
  /** Asked now and then. @default always */
  readonly goesOn?: () => boolean;
  /** A failing world is made smaller for so long. */
  readonly shrinkingMs?: number;
}

/** Runs the worlds of seeds until one of them breaks a promise. */
export async function simulateAll(
  { from, count }: { readonly from: number; readonly count: number },
  look: (world: World) => void,
  { goesOn = () => true, shrinkingMs = SHRINKING_MS }: Options = {},
): Promise<Failure | undefined> {
  for (let done = 0; done < count && goesOn(); done += AT_ONCE) {
    const seeds = Array.from({ length: Math.min(AT_ONCE, count - done) }, (_, index) => from + done + index);
    const failures = await Promise.all(seeds.map((seed) => simulate(seed, look, shrinkingMs)));
    const failure = failures.find((one) => one !== undefined);
    if (failure !== undefined) {
      return failure;
    }
  }
  return undefined;
}

/**
 * Runs the one world that the seed determines; a failing one is made as small as it gets in time.
 *
 * @param look is shown the world when its run is over
 */
export async function simulate(
  seed: number,
  look: (world: World) => void = () => {},
  shrinkingMs = SHRINKING_MS,
): Promise<Failure | undefined> {
  let first: readonly string[] | undefined;
  let smallest: Failure['smallest'] | undefined;
  let shrinksUntil = Number.POSITIVE_INFINITY;
  await fc.check(
    fc.asyncProperty(worldPlan, async (plan) => {
      if (performance.now() > shrinksUntil) {
        return true;
      }
      const world = await runWorld(plan);
      const broken = brokenPromises(world);
      if (first === undefined) {
        look(world);
      }
      if (broken.length > 0) {
        if (first === undefined) {
          first = broken;
          shrinksUntil = performance.now() + shrinkingMs;
        }
        smallest = { plan, broken };
      }
      return broken.length === 0;
    }),
    { seed: scattered(seed), numRuns: 1 },
  );
  return first === undefined || smallest === undefined ? undefined : { seed, broken: first, smallest };
}

/** Neighbouring seeds make neighbouring first draws: this sets them apart. Source: the finalizer of MurmurHash3. */
function scattered(seed: number): number {
  let mixed = Math.imul(seed ^ (seed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
