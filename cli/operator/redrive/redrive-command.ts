import { ExplainedError } from '../../terminal/explained-error.ts';
import type { Surroundings } from '../../terminal/surroundings.ts';
import { recorded } from '../trail/operators-trail.ts';
import { redrive } from './redrive.ts';
import { REDRIVE_HELP, redriveOptions } from './redrive-options.ts';
import { redriveQueues } from './redrive-queues.ts';
import { redriveJson, redriveText } from './redrive-report.ts';

/**
 * @returns whether all is well: nothing failed, and something was done where something was to be done
 * @throws ExplainedError when there is nothing to do, or what was asked for does not make sense
 */
export async function redriveCommand(
  args: string[],
  { access, print, progress }: Surroundings,
): Promise<boolean> {
  const options = redriveOptions(args);
  if (options === 'help') {
    print(REDRIVE_HELP);
    return true;
  }
  const { queue, stage, yes, json, limit, again, unfold, 'also-unusable': alsoUnusable } = options;
  const { sqs, deadLetterUrls, operators } = await access(stage);
  const queues = redriveQueues(sqs, await deadLetterUrls(queue));
  const act = () =>
    redrive(queues, queue, { goes: yes, unfolds: unfold, alsoUnusable, again, limit }, ({ seen, putBack }) =>
      progress?.(`${seen} looked at${yes ? `, ${putBack} put back` : ''}`),
    );
  const asked = { queue: queue.name, 'also-unusable': alsoUnusable, again, unfold, limit };
  // Unfolding alone puts nothing back, but gives dead letters other groups.
  const isChange = yes || unfold;
  const redriven = isChange
    ? await recorded(
        await operators(),
        { command: yes ? 'redrive' : 'redrive (look only)', arguments: asked },
        async () => {
          const result = await act();
          const { seen, sent, untaken, returned } = result;
          const outcome = {
            seen: seen.length,
            put_back: sent.length,
            untaken: untaken.length,
            returned: returned.length,
          };
          return { result, outcome };
        },
      )
    : await act();
  const { seen, unseen, sent, untaken, returned, internalError } = redriven;
  if (seen.length === 0 && !json) {
    throw new ExplainedError(
      unseen === 0
        ? `The dead letters of ${queue.name} are empty on ${stage}: there is nothing to put back.`
        : `About ${unseen} dead letters of ${queue.name} are there on ${stage}, and SQS hands none of them out: somebody else looks at them. Wait ten minutes.`,
    );
  }
  print(
    json
      ? `${JSON.stringify(redriveJson(redriven, queue, stage, yes))}\n`
      : `${redriveText(redriven, queue, stage, yes)}\n`,
  );
  const failed = untaken.length > 0 || returned.length > 0 || internalError !== undefined;
  return !failed && seen.length > 0 && (sent.length > 0 || !yes);
}
