import * as z from 'zod';
import { STAGE_NAMES } from '../../stage/stage-access.ts';
import { commandOptions, numberOption } from '../../terminal/command-options.ts';
import { confirmed, holdsRealPayments } from '../../terminal/confirmed.ts';
import { ExplainedError } from '../../terminal/explained-error.ts';
import { type DeadLetterQueue, deadLetterQueue, QUEUE_NAMES } from './dead-letter-queues.ts';
import { MAX_SEEN } from './redrive.ts';

export const REDRIVE_HELP = `Shows our dead letters and why they are there, and puts them back in order of each payment.

  npm run redrive -- <queue> [options]

  <queue>            ${QUEUE_NAMES.join(', ')}; also as its alarm is called
  --yes              put back what is shown; without it nothing is changed
  --also-unusable    also what the worker has put aside, or would: it puts it aside again unless it has been mended
  --again            also payments of which something was put back before and is here again
  --unfold           show also those that SQS hides behind ten others of their group: gives every dead letter a group of
                     its own. --yes does the same
  --limit N          put back so many at most, of each payment the first ones, 1 to 20000 (default: 20000)
  --stage NAME       ${STAGE_NAMES.join(', ')} (default: local)
  --confirm NAME     needed with --yes or --unfold on prod: prod once more
  --json             print one JSON object and nothing else
  --help

Mend the cause first. What is looked at is hidden from others meanwhile and given back in the end. A dead letter is
deleted only when its queue has taken it. Exit code 1: something is left to be looked after, or there was nothing to do.
`;

const optionsSchema = z.object({
  queue: z.string().transform((name, context): DeadLetterQueue => {
    const queue = deadLetterQueue(name);
    if (queue === undefined) {
      context.addIssue({
        code: 'custom',
        message: `there is none of that name; there is ${QUEUE_NAMES.join(', ')}`,
      });
      return z.NEVER;
    }
    return queue;
  }),
  yes: z.boolean(),
  'also-unusable': z.boolean(),
  again: z.boolean(),
  unfold: z.boolean(),
  limit: numberOption(1, MAX_SEEN, { whole: true }),
  stage: z.enum(STAGE_NAMES, `there is none of that name; there is ${STAGE_NAMES.join(', ')}`),
  confirm: z.string().optional(),
  json: z.boolean(),
});

export type RedriveOptions = z.infer<typeof optionsSchema>;

const DEFAULTS = {
  yes: false,
  'also-unusable': false,
  again: false,
  unfold: false,
  limit: String(MAX_SEEN),
  stage: 'local',
  confirm: undefined,
  json: false,
} as const;

/** @throws ExplainedError, or Node's own error of `parseArgs`, naming what is at fault */
export function redriveOptions(args: string[]): RedriveOptions | 'help' {
  const options = commandOptions(args, DEFAULTS, optionsSchema, ['queue']);
  if (options !== 'help') {
    confirmed('redrive', options);
    confirmedToUnfold(options);
  }
  return options;
}

/** It puts nothing back, and yet changes what lies there. */
function confirmedToUnfold({ unfold, yes, stage, confirm }: RedriveOptions): void {
  if (unfold && !yes && holdsRealPayments(stage) && confirm !== stage) {
    throw new ExplainedError(
      `--unfold: it gives the dead letters of ${stage} other groups, though it puts nothing back. Add --confirm ${stage}`,
    );
  }
}
