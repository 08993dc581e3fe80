import * as z from 'zod';
import { ExplainedError } from '../../terminal/explanation.ts';
import { recorded } from '../audit/audit-command.ts';
import { CHANGES_STAGE, limit, operatorCommand } from '../operator-command.ts';
import { type DeadLetterQueue, deadLetterQueue, QUEUE_NAMES } from './dead-letter-queues.ts';
import { MAX_SEEN, redrive as putBack } from './redrive.ts';
import { redriveQueues } from './redrive-queues.ts';
import { redriveJson, redriveText } from './redrive-report.ts';

const QUEUE = {
  check: z.string().transform((name, context): DeadLetterQueue => {
    const queue = deadLetterQueue(name);
    if (queue === undefined) {
      context.addIssue({ code: 'custom', message: `must be one of ${QUEUE_NAMES.join(', ')}` });
      return z.NEVER;
    }
    return queue;
  }),
  help: `${QUEUE_NAMES.join(', ')}; or the name of its alarm`,
} as const;

export const redrive = operatorCommand({
  name: 'redrive',
  synonyms: ['dlq', 'dead-letters'],
  summary: 'Show our dead letters and why they are there, and put them back in the order of each payment',
  arguments: { queue: QUEUE },
  options: {
    'also-unusable': {
      help: 'also dead letters that the worker cannot use; it dead-letters them again unless it was changed',
    },
    again: { help: 'also payments of which something was put back before and is here again' },
    unfold: {
      help: 'also show those that SQS hides behind ten others of their group: gives every dead letter its own group; --yes does the same',
    },
    ...limit(MAX_SEEN, 'how many to put back at most, the first ones of each payment', MAX_SEEN),
    ...CHANGES_STAGE,
  },
  example: 'deliveries --stage dev',
  remarks:
    'Remove the cause first. While the command runs, what it reads is hidden from others; it is given back at the end. A dead letter\nis deleted only once its queue has taken it. Exit code 1: something is left to be done.',
  async run(given, { access, print, progress }) {
    const { queue, stage, yes, json, limit, again, unfold, 'also-unusable': alsoUnusable } = given;
    const reached = await access(stage);
    const { settings } = reached;
    // It puts nothing back, and yet changes what is there.
    if (unfold && settings.keepsData && given.confirm !== stage.name) {
      throw new ExplainedError(
        `--unfold gives the dead letters of ${stage} other groups, though it puts nothing back. Add --confirm ${stage}`,
      );
    }
    const { sqs, queueUrl, operators } = reached;
    const [deadLetters, target] = [await queueUrl(queue.deadLetters), await queueUrl(queue.target)];
    const queues = redriveQueues(sqs, { deadLetters, target });
    const act = () =>
      putBack(
        queues,
        { ...queue, read: (received) => queue.read(received, settings.shards) },
        { goes: yes, unfolds: unfold, alsoUnusable, again, limit },
        ({ seen, putBack }) => progress?.(`${seen} read${yes ? `, ${putBack} put back` : ''}`),
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
    const isNone = seen.length === 0 && unseen === 0;
    if (seen.length === 0 && !isNone && !json) {
      throw new ExplainedError(
        `There are about ${unseen} dead letters of ${queue.name} on ${stage}, but SQS returns none of them: somebody else is reading them. Wait ten minutes.`,
      );
    }
    const text = isNone
      ? `There are no dead letters of ${queue.name} on ${stage}: there is nothing to put back.`
      : redriveText(redriven, queue, stage, yes);
    print(text, redriveJson(redriven, queue, stage, yes));
    const failed = untaken.length > 0 || returned.length > 0 || internalError !== undefined;
    return isNone || (!failed && seen.length > 0 && (sent.length > 0 || !yes));
  },
});
