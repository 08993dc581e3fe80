import * as fc from 'fast-check';
import { type WorldPlan, worldPlan } from './plans/world-plan.ts';
import { brokenPromises } from './promises/all-promises.ts';
import { runWorld, type World } from './world.ts';

export interface Failure {
  readonly seed: number;
  readonly broken: readonly string[];
  /** The smallest world found that also breaks a promise, and what it breaks. */
  readonly smallest: { readonly plan: WorldPlan; readonly broken: readonly string[] };
}

/** How long a failing world is shrunk. */
const SHRINKING_MS = 15_000;

/** Worlds that share each turn of the event loop: a turn costs more than most of what happens in it. */
const AT_ONCE = 16;

interface Options {
  /** Whether to run further worlds. @default always */
  readonly goesOn?: () => boolean;
  /** How long a failing world is shrunk. */
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
 * Runs the one world that the seed determines. If it fails, it is shrunk as far as time allows.
 *
 * @param look called with the world after its run
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

/** Spreads neighbouring seeds, whose first draws would be alike. Source: the finalizer of MurmurHash3. */
function scattered(seed: number): number {
  let mixed = Math.imul(seed ^ (seed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
