import type { ChosenDeployment } from '../../stage/chosen-deployment.ts';
import { firstOf, printable, readableTime, textTable, wrapped } from '../../terminal/terminal.ts';
import type { DeadLetter } from './dead-letter.ts';
import type { DeadLetterQueue } from './dead-letter-queues.ts';
import type { Stay } from './plan.ts';
import type { Redriven } from './redrive.ts';

const MAX_LINES = 100;
/** So that it fits a terminal with what it is indented by. */
const EXPLANATION_WIDTH = 96;

const STAYS: Readonly<Record<Stay, string>> = {
  unusable: 'cannot be used as they are; --also-unusable puts them back anyway',
  cut: 'were longer than SQS takes with a reason, so only their beginning is here: have their publisher send them smaller, and discard these',
  failed_again:
    'wait behind something of their payment that was put back before and is here again: the cause persists. Once it is removed: --again',
  over_limit: 'are more than --limit; run the command again',
};

interface Stock {
  readonly reason: string;
  readonly key: string;
  readonly count: number;
  readonly oldest: string;
  readonly newest: string;
  readonly explanation: string | undefined;
}

/** The dead letters by reason, key and explanation, the most frequent first. */
function stockOf(deadLetters: readonly DeadLetter[]): Stock[] {
  const groups = Map.groupBy(deadLetters, ({ reason, key, explanation }) =>
    JSON.stringify([reason, key, explanation]),
  );
  return [...groups.values()]
    .map((of): Stock => {
      const sent = of.map(({ received }) => received.sentAtMs);
      const [{ reason, key, explanation }] = of as [DeadLetter];
      return {
        reason,
        key,
        count: of.length,
        oldest: readableTime(Math.min(...sent)),
        newest: readableTime(Math.max(...sent)),
        explanation,
      };
    })
    .sort((a, b) => b.count - a.count);
}

export function redriveText(
  redriven: Redriven,
  queue: DeadLetterQueue,
  stage: ChosenDeployment,
  goes: boolean,
): string {
  const { seen, unseen, batches, sent, returned, untaken, undeleted, internalError } = redriven;
  const going = goes ? sent : batches.flat();
  const lines = [
    `${seen.length} dead ${seen.length === 1 ? 'letter' : 'letters'} of ${queue.name}, stage ${stage}`,
  ];
  if (unseen > 0) {
    lines.push(
      queue.isFifo
        ? `About ${unseen} more are behind them: SQS hides the rest of a group while some of it is being read. --unfold shows them.`
        : `About ${unseen} more are there: run the command again.`,
    );
  }
  const stock = stockOf(seen);
  const [titles = '', ...rows] = explained(
    ['count', 'reason', 'key', 'oldest', 'newest'],
    stock.map(({ count, reason, key, oldest, newest }) => [String(count), reason, key, oldest, newest]),
    stock,
  );
  lines.push('', titles, ...firstOf(rows, MAX_LINES), '');

  if (going.length === 0) {
    lines.push(goes ? 'Nothing was put back.' : 'Nothing would be put back.');
  } else {
    lines.push(
      goes
        ? `${going.length} were put back, in this order:`
        : `${going.length} would be put back, in this order:`,
    );
    const order = textTable(going.map(({ key, what }, index) => [String(index + 1), key, what]));
    lines.push(...firstOf(order, MAX_LINES));
  }
  for (const [why, of] of Map.groupBy(redriven.stays, ({ why }) => why)) {
    lines.push(`${of.length} stay: they ${STAYS[why]}.`);
  }
  if (untaken.length > 0) {
    lines.push(
      `${untaken.length} stay: the queue did not take them, or not an earlier one of their payment. Run the command again.`,
    );
  }
  if (internalError !== undefined) {
    lines.push(
      `It stopped early: ${printable(internalError instanceof Error ? `${internalError.name}: ${internalError.message}` : String(internalError))}`,
    );
  }
  if (undeleted > 0) {
    lines.push(
      `${undeleted} were put back and could not be deleted here. The next run puts them back again, which does no harm.`,
    );
  }
  if (returned.length > 0) {
    lines.push(
      `${returned.length} that were put back were dead-lettered again at once: the cause persists. The command stopped there.`,
    );
    const first = returned.slice(0, 10);
    lines.push(
      ...explained(
        ['key', 'what', 'reason'],
        first.map(({ key, what, reason }) => [key, what, reason]),
        first,
      ),
    );
  } else if (goes && going.length > 0) {
    lines.push(`If the cause persists: ${queue.symptom}.`);
  }
  if (!goes && going.length > 0) {
    lines.push('Nothing was changed. --yes puts them back.');
  }
  return lines.join('\n');
}

/** A table in which each row is followed by its explanation, in full: its end often says what to do. */
function explained(
  titles: readonly string[],
  cells: readonly (readonly string[])[],
  of: readonly Pick<DeadLetter, 'explanation'>[],
): string[] {
  const [head = '', ...rows] = textTable([titles, ...cells]);
  const below = rows.map((row, index) =>
    [row, ...wrapped(EXPLANATION_WIDTH, of[index]?.explanation ?? '').map((line) => `      ${line}`)].join(
      '\n',
    ),
  );
  return [head, ...below];
}

/** For programs: everything, and no bodies. */
export function redriveJson(
  redriven: Redriven,
  queue: DeadLetterQueue,
  stage: ChosenDeployment,
  goes: boolean,
): object {
  const { seen, unseen, batches, sent, stays, untaken, undeleted, returned, internalError } = redriven;
  return {
    queue: queue.name,
    stage,
    seen: seen.length,
    unseen,
    stock: stockOf(seen),
    [goes ? 'put_back' : 'would_be_put_back']: (goes ? sent : batches.flat()).map(shown),
    stays: stays.map(({ deadLetter, why }) => ({ ...shown(deadLetter), why })),
    untaken: untaken.map(shown),
    undeleted,
    returned: returned.map(shown),
    internal_error: internalError === undefined ? null : String(internalError),
  };
}

function shown({ received, key, what, reason, explanation, putBackAt }: DeadLetter) {
  return {
    record_id: received.recordId,
    key,
    what,
    reason,
    explanation,
    sent_at: new Date(received.sentAtMs).toISOString(),
    put_back_before_at: putBackAt,
  };
}
