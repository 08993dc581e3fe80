import * as z from 'zod';
import { serviceIdSchema } from '../../../functions/core/api/api-token.ts';
import { OPERATOR_SIGNALS } from '../../../functions/core/circuit/operator-signals.ts';
import { STAGE_NAMES } from '../../stage/stage-access.ts';
import { commandOptions, numberOption } from '../../terminal/command-options.ts';
import { confirmed } from '../../terminal/confirmed.ts';
import { ExplainedError } from '../../terminal/explained-error.ts';

export const CIRCUITS_HELP = `Shows the circuits of subscriptions, and opens, closes or drains one by hand.

  npm run circuits -- list [options]                              endpoints in trouble: since when, why, how much waits; the longest first
  npm run circuits -- show <service> <subscription> [options]     one of them, and who is first in line
  npm run circuits -- open <service> <subscription> [options]     send nothing from now on, not even probes; messages wait, for 76 hours
  npm run circuits -- drain <service> <subscription> [options]    send what waits, in order, a few payments at a time; then close
  npm run circuits -- close <service> <subscription> [options]    send again as messages come; what waits is drained first

  <service>        id of the service, as payment events carry it in service_id
  <subscription>   sub_…
  --yes            do it; without it open, close and drain only say what they would do
  --limit N        list so many at most, or show so many that are in line, 1 to 1000 (default: 100)
  --stage NAME     ${STAGE_NAMES.join(', ')} (default: local)
  --confirm NAME   needed with --yes on prod: prod once more
  --json           print one JSON object and nothing else
  --help

What was opened by hand stays open until somebody closes or drains it here, or its owner pauses and enables the subscription.
`;

const COMMANDS = ['list', 'show', ...OPERATOR_SIGNALS] as const;

const optionsSchema = z.object({
  command: z.enum(COMMANDS, `must be one of ${COMMANDS.join(', ')}`),
  service: serviceIdSchema.optional(),
  subscription: z
    .string()
    .regex(/^sub_[A-Za-z0-9_-]{1,64}$/, 'must be the id of a subscription: sub_…')
    .optional(),
  yes: z.boolean(),
  limit: numberOption(1, 1_000, { whole: true }),
  stage: z.enum(STAGE_NAMES, `there is none of that name; there is ${STAGE_NAMES.join(', ')}`),
  confirm: z.string().optional(),
  json: z.boolean(),
});

type Read = z.infer<typeof optionsSchema>;
/** Each command but `list` is about one subscription. */
export type CircuitsOptions = Omit<Read, 'command' | 'service' | 'subscription'> &
  (
    | { readonly command: 'list' }
    | {
        readonly command: Exclude<Read['command'], 'list'>;
        readonly service: string;
        readonly subscription: string;
      }
  );

const DEFAULTS = {
  yes: false,
  limit: '100',
  stage: 'local',
  confirm: undefined,
  json: false,
} as const;

/** @throws ExplainedError, or Node's own error of `parseArgs`, naming what is at fault */
export function circuitsOptions(args: string[]): CircuitsOptions | 'help' {
  const positionals = args.includes('list') ? ['command'] : ['command', 'service', 'subscription'];
  const options = commandOptions(args, DEFAULTS, optionsSchema, positionals);
  if (options === 'help') {
    return options;
  }
  if (options.yes && (options.command === 'list' || options.command === 'show')) {
    throw new ExplainedError(
      `--yes: ${options.command} changes nothing; it is for ${OPERATOR_SIGNALS.join(', ')}`,
    );
  }
  confirmed('circuits', options);
  return options as CircuitsOptions;
}
