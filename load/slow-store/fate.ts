import { Dice } from '../statistics/dice.ts';
import type { AwsCall } from './aws-call.ts';
import { FAILURE_KINDS, type FailureKind, type Rule, type Settings } from './settings.ts';

/** What happens to one call. */
export interface Fate {
  readonly delayMs: number;
  readonly failure?: FailureKind;
}

const UNCHANGED: Fate = { delayMs: 0 };

/**
 * Draws the fate of each call. Each rule has its own dice, so calls that match other rules do not affect it.
 */
export function fates(settings: Settings): (call: AwsCall) => Fate {
  const rules = settings.map((rule) => ({ rule, dice: new Dice(rule.seed) }));
  return (call) => {
    const matching = rules.find(({ rule }) => matches(rule, call));
    return matching === undefined ? UNCHANGED : fateBy(matching.rule, matching.dice);
  };
}

function matches({ service, operations }: Rule, call: AwsCall): boolean {
  return service === call.service && (operations === undefined || operations.includes(call.operation));
}

function fateBy({ delay_ms, failure_rate, failure_kind }: Rule, dice: Dice): Fate {
  const [min, max] = typeof delay_ms === 'number' ? [delay_ms, delay_ms] : delay_ms;
  const delayMs = min + dice.draw() * (max - min);
  if (dice.draw() >= failure_rate) return { delayMs };
  return { delayMs, failure: failure_kind === 'any' ? oneOf(FAILURE_KINDS, dice.draw()) : failure_kind };
}

function oneOf<const Choice>(choices: readonly [Choice, ...Choice[]], drawn: number): Choice {
  return choices[Math.floor(drawn * choices.length)] ?? choices[0];
}
