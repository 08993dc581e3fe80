import type { RunResult } from '../results/run-result.ts';
import { count } from './numbers.ts';

/** Whether a run kept what the product promises, in words that fit into one line. */
export interface Judgement {
  readonly kind: 'kept' | 'broken' | 'nothing';
  readonly headline: string;
  readonly details: readonly string[];
}

export function judge({
  promises,
  is_interrupted: isInterrupted,
}: Pick<RunResult, 'promises' | 'is_interrupted'>): Judgement {
  const { expected, delivered, ended, refused = 0 } = promises;
  const early = isInterrupted ? ['interrupted early: the numbers are of what there was'] : [];
  const endings = [
    ...Object.entries(ended).map(([reason, number]) => `${count(number)} ended as ${reason}`),
    ...(refused > 0 ? [`${count(refused)} refused for ever, each on record`] : []),
  ];
  const broken = [
    promises.lost > 0 && `${count(promises.lost)} lost`,
    promises.order_violations > 0 && `${count(promises.order_violations)} out of order`,
    promises.repeats > 0 && `${count(promises.repeats)} repeated without a reason`,
    promises.invalid_signatures > 0 && `${count(promises.invalid_signatures)} with an invalid signature`,
  ].filter((one) => one !== false);
  const arrived = `${count(delivered)} of ${count(expected)} delivered`;
  if (broken.length > 0) {
    return {
      kind: 'broken',
      headline: `Promises broken: ${broken.join(', ')}`,
      details: [arrived, ...endings, ...early],
    };
  }
  if (delivered === 0) {
    const headline = expected === 0 ? 'Nothing was sent' : `Nothing was delivered of ${count(expected)}`;
    return { kind: 'nothing', headline, details: [...endings, ...early] };
  }
  const headline = isInterrupted ? 'Every promise kept until it was interrupted' : 'Every promise kept';
  const kept = ['none lost', 'in order', 'no unexplained repeat', 'every signature valid'];
  return { kind: 'kept', headline, details: [arrived, ...kept, ...endings, ...early] };
}
