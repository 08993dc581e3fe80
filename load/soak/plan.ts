import { Dice } from '../../local/dice.ts';

/** Endpoints of a soak, by what happens to them now and then. */
export const TROUBLES = ['slow', 'failing', 'vanishing', 'hanging', 'gone', 'paused', 'limited'] as const;
export type Trouble = (typeof TROUBLES)[number];

/**
 * What a subscription does that comes and goes, in this order; whether it is enabled before it goes is drawn.
 */
const GUEST_STEPS = ['create', 'narrow', 'widen', 'pause', 'enable', 'delete'] as const;
export type GuestStep = (typeof GUEST_STEPS)[number];

/** Times in ms since the soak began. */
export type Disturbance =
  | {
      readonly kind: 'receiver';
      readonly trouble: Trouble;
      readonly fromMs: number;
      readonly untilMs: number;
    }
  | { readonly kind: 'store'; readonly isFailing: boolean; readonly fromMs: number; readonly untilMs: number }
  | { readonly kind: 'guest'; readonly step: GuestStep; readonly fromMs: number }
  /** `draw`, from [0, 1), chooses among the workers that run then. */
  | { readonly kind: 'worker'; readonly draw: number; readonly fromMs: number };

interface Wanted {
  readonly seed: number;
  readonly durationMs: number;
  /** How long trouble and calm take, roughly. */
  readonly periodMs: number;
}

/** The store is disturbed for seconds, whatever the period: for longer, records would become dead letters. */
const LONGEST_STORE_TROUBLE_MS = 8_000;

/**
 * Workers are killed in this first part of a run only: those that live from then on show whether memory is
 * flat.
 */
const KILLING = 0.5;

/** All disturbances, in the order in which they begin. The same seed draws the same ones. */
export function soakPlan({ seed, durationMs, periodMs }: Wanted): Disturbance[] {
  const dice = new Dice(seed);
  const some = (least: number, most: number) => Math.round(periodMs * (least + dice.draw() * (most - least)));
  const all: Disturbance[] = [];
  for (const trouble of TROUBLES) {
    for (let fromMs = some(0.1, 0.6); fromMs < durationMs; ) {
      const untilMs = Math.min(durationMs, fromMs + some(0.25, 0.75));
      all.push({ kind: 'receiver', trouble, fromMs, untilMs });
      fromMs = untilMs + some(0.5, 1);
    }
  }
  for (let fromMs = some(0.3, 0.6); fromMs < durationMs * KILLING; fromMs += some(0.3, 0.6)) {
    all.push({ kind: 'worker', draw: dice.draw(), fromMs });
  }
  for (let fromMs = some(0.3, 0.8); fromMs < durationMs; fromMs += some(0.8, 1.6)) {
    const lastsMs = Math.min(LONGEST_STORE_TROUBLE_MS, some(0.1, 0.3));
    const untilMs = Math.min(durationMs, fromMs + lastsMs);
    all.push({ kind: 'store', isFailing: dice.chance(0.5), fromMs, untilMs });
  }
  for (let fromMs = some(0.1, 0.3); fromMs < durationMs; ) {
    const isEnabled = dice.chance(0.5);
    for (const step of GUEST_STEPS) {
      if (step === 'enable' && !isEnabled) continue;
      if (fromMs < durationMs) all.push({ kind: 'guest', step, fromMs });
      fromMs += some(0.3, 0.6);
    }
  }
  return all.sort((a, b) => a.fromMs - b.fromMs);
}
