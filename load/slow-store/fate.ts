import { Dice } from '../statistics/dice.ts';
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
  const rules = settings.map((rule) => ({ rule, dice: new Dice(rule.seed) }));
  return (call) => {
    const found = rules.find(({ rule }) => fits(rule, call));
    return found === undefined ? AS_IT_IS : fateBy(found.rule, found.dice);
  };
}

function fits({ service, operations }: Rule, call: AwsCall): boolean {
  return service === call.service && (operations === undefined || operations.includes(call.operation));
}

function fateBy({ delay_ms, failure_rate, failure_kind }: Rule, dice: Dice): Fate {
  const [least, max] = typeof delay_ms === 'number' ? [delay_ms, delay_ms] : delay_ms;
  const delayMs = least + dice.draw() * (max - least);
  if (dice.draw() >= failure_rate) return { delayMs };
  return { delayMs, failure: failure_kind === 'any' ? oneOf(FAILURE_KINDS, dice.draw()) : failure_kind };
}

function oneOf<const Choice>(choices: readonly [Choice, ...Choice[]], drawn: number): Choice {
  return choices[Math.floor(drawn * choices.length)] ?? choices[0];
}
