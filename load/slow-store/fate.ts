import type { AwsCall } from './aws-call.ts';
import { FAILURE_KINDS, type FailureKind, type Rule, type Settings } from './settings.ts';

/** What is to become of one call. */
export interface Fate {
  readonly delayMs: number;
  readonly failure?: FailureKind;
}

const AS_IT_IS: Fate = { delayMs: 0 };

/** Draws the fate of one call after another. Each rule has dice of its own: how many calls the others see changes nothing for it. */
export function fates(settings: Settings): (call: AwsCall) => Fate {
  const rules = settings.map((rule) => ({ rule, draw: dice(rule.seed) }));
  return (call) => {
    const found = rules.find(({ rule }) => fits(rule, call));
    return found === undefined ? AS_IT_IS : fateBy(found.rule, found.draw);
  };
}

function fits({ service, operations }: Rule, call: AwsCall): boolean {
  return service === call.service && (operations === undefined || operations.includes(call.operation));
}

function fateBy({ delay_ms, failure_rate, failure_kind }: Rule, draw: () => number): Fate {
  const [least, most] = typeof delay_ms === 'number' ? [delay_ms, delay_ms] : delay_ms;
  const delayMs = least + draw() * (most - least);
  if (draw() >= failure_rate) return { delayMs };
  return { delayMs, failure: failure_kind === 'any' ? oneOf(FAILURE_KINDS, draw()) : failure_kind };
}

function oneOf<const Choice>(choices: readonly [Choice, ...Choice[]], drawn: number): Choice {
  return choices[Math.floor(drawn * choices.length)] ?? choices[0];
}

/** Numbers from 0 to below 1, evenly. Source: mulberry32 by Tommy Ettinger, public domain. */
function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
