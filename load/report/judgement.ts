import type { RunResult } from '../results/run-result.ts';
import { count } from './numbers.ts';

/** Whether a run kept the promises of the product, in one line. */
interface Judgement {
  readonly kind: 'kept' | 'broken' | 'nothing';
  readonly headline: string;
  readonly details: readonly string[];
}

export function judge({
  promises,
  is_interrupted: isInterrupted,
}: Pick<RunResult, 'promises' | 'is_interrupted'>): Judgement {
  const { expected, delivered, ended, refused = 0 } = promises;
  const early = isInterrupted ? ['interrupted early: the numbers cover what had happened by then'] : [];
  const endings = [
    ...Object.entries(ended).map(([reason, number]) => `${count(number)} ended as ${reason}`),
    ...(refused > 0 ? [`${count(refused)} permanently refused, all on record`] : []),
  ];
  const broken = [
    promises.lost > 0 && `${count(promises.lost)} lost`,
    promises.order_violations > 0 && `${count(promises.order_violations)} out of order`,
    promises.repeats > 0 && `${count(promises.repeats)} unexplained duplicates`,
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
    const headline =
      expected === 0 ? 'Nothing was sent' : `None of ${count(expected)} messages was delivered`;
    return { kind: 'nothing', headline, details: [...endings, ...early] };
  }
  const headline = isInterrupted ? 'Every promise kept until the interruption' : 'Every promise kept';
  const kept = ['none lost', 'in order', 'no unexplained duplicates', 'every signature valid'];
  return { kind: 'kept', headline, details: [arrived, ...kept, ...endings, ...early] };
}
