import * as z from 'zod';
import { STAGE_NAMES } from '../../stage/stage-access.ts';
import { commandOptions, numberOption } from '../../terminal/command-options.ts';
import { confirmed } from '../../terminal/confirmed.ts';
import { ExplainedError } from '../../terminal/explained-error.ts';

export const STUCK_HELP = `Shows payments that wait for you because something of ours keeps their first message from being sent, and lets them go on.

  npm run keys -- list [options]               all of them, the oldest first
  npm run keys -- show <key> [options]         one payment of a subscription: its state, and the messages that wait in it
  npm run keys -- release <key> [options]      try its first message now, as if nothing had happened
  npm run keys -- release all [options]        the same for all that list shows
  npm run keys -- skip <key> [options]         give its first message up, for good, and go on with the next one

  <key>            subscription and payment, joined by a dot: sub_….pay_…
  --yes            do it; without it release and skip only say what they would do
  --limit N        show, or release, so many at most, 1 to 1000 (default: 100)
  --stage NAME     ${STAGE_NAMES.join(', ')} (default: local)
  --confirm NAME   needed with --yes on prod: prod once more
  --json           print one JSON object and nothing else
  --help

Mend the cause first: what still cannot be sent comes back here. Exit code 1: nothing was done, or not everything.
`;

const COMMANDS = ['list', 'show', 'release', 'skip'] as const;
export const ALL = 'all';

const optionsSchema = z.object({
  command: z.enum(COMMANDS, `must be one of ${COMMANDS.join(', ')}`),
  key: z
    .string()
    .regex(/^[^.]+\.[^.]+$|^all$/, 'must be a subscription and a payment, joined by a dot: sub_….pay_…')
    .default(ALL),
  yes: z.boolean(),
  limit: numberOption(1, 1_000, { whole: true }),
  stage: z.enum(STAGE_NAMES, `there is none of that name; there is ${STAGE_NAMES.join(', ')}`),
  confirm: z.string().optional(),
  json: z.boolean(),
});

export type StuckOptions = z.infer<typeof optionsSchema>;

const DEFAULTS = {
  yes: false,
  limit: '100',
  stage: 'local',
  confirm: undefined,
  json: false,
} as const;

/** @throws ExplainedError, or Node's own error of `parseArgs`, naming what is at fault */
export function stuckOptions(args: string[]): StuckOptions | 'help' {
  const positionals = args.includes('list') ? ['command'] : ['command', 'key'];
  const options = commandOptions(args, DEFAULTS, optionsSchema, positionals);
  if (options === 'help') {
    return options;
  }
  if (options.key === ALL && (options.command === 'show' || options.command === 'skip')) {
    throw new ExplainedError(`<key>: ${options.command} takes one key; keys -- list shows which there are`);
  }
  confirmed('keys', options);
  return options;
}
