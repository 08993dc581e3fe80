import * as z from 'zod';
import {
  DEFAULT_REQUESTS_PER_MINUTE,
  MAX_REQUESTS_PER_MINUTE,
  SCOPES,
  type Scope,
  serviceIdSchema,
} from '../../../functions/core/api/api-token.ts';
import { STAGE_NAMES } from '../../stage/stage-access.ts';
import { commandOptions, numberOption } from '../../terminal/command-options.ts';
import { confirmed, confirmedWhereReal } from '../../terminal/confirmed.ts';
import { ExplainedError } from '../../terminal/explained-error.ts';

export const TOKEN_HELP = `Looks after the API tokens with which a partner's service calls the HTTP API.

  npm run token -- create <service> [options]             make one; it is printed once
  npm run token -- list <service> [options]               those there are, and what became of them
  npm run token -- revoke <service> <token_id> [options]  end one at once and for good

  <service>                id of the service, as payment events carry it in service_id
  <token_id>               tok_…, as create and list tell it
  --stage NAME             ${STAGE_NAMES.join(', ')} (default: local)
  --yes                    revoke: do it; without it revoke only says what it would do. On prod create wants it, too
  --confirm NAME           needed with --yes on prod: prod once more
  --json                   print one JSON object and nothing else
  --help

For create:

  --scopes LIST            what it may do: ${SCOPES.join(', ')}, or both joined by a comma (default: ${SCOPES.join(',')})
  --expires-in-days N      it is refused after so many days, 1 to 9999 (default: never)
  --requests-per-minute N  more are answered with 429, 1 to ${MAX_REQUESTS_PER_MINUTE} (default: ${DEFAULT_REQUESTS_PER_MINUTE})
  --description TEXT       what it is for, at most 200 characters

To replace a token: create the next one, have the service use it, see with list that the old one is not used any more,
revoke it. Tokens are kept as SHA-256 alone: nobody can look one up.
`;

const COMMANDS = ['create', 'list', 'revoke'] as const;

const isScope = (name: string): name is Scope => (SCOPES as readonly string[]).includes(name);

const optionsSchema = z.object({
  command: z.enum(COMMANDS, `must be one of ${COMMANDS.join(', ')}`),
  service: serviceIdSchema,
  token_id: z
    .string()
    .regex(/^tok_[0-9a-f]{16}$/, 'must be tok_ and 16 of 0-9 a-f: see token -- list')
    .optional(),
  stage: z.enum(STAGE_NAMES, `there is none of that name; there is ${STAGE_NAMES.join(', ')}`),
  yes: z.boolean(),
  confirm: z.string().optional(),
  json: z.boolean(),
  scopes: z
    .string()
    .transform((list) => [...new Set(list.split(','))])
    .refine((names) => names.every(isScope), `must be ${SCOPES.join(' or ')}, or both joined by a comma`)
    .transform((names) => names.filter(isScope))
    .optional(),
  'expires-in-days': numberOption(1, 9_999, { whole: true }).optional(),
  'requests-per-minute': numberOption(1, MAX_REQUESTS_PER_MINUTE, { whole: true }).optional(),
  description: z.string().max(200, 'must be at most 200 characters').optional(),
});
export type TokenOptions = z.infer<typeof optionsSchema>;

/** Undefined when it is not given: what list and revoke do not take is refused. */
const FOR_CREATE = {
  scopes: undefined,
  'expires-in-days': undefined,
  'requests-per-minute': undefined,
  description: undefined,
} as const;

const DEFAULTS = { stage: 'local', yes: false, confirm: undefined, json: false, ...FOR_CREATE } as const;

/** @throws ExplainedError, or Node's own error of `parseArgs`, naming what is at fault */
export function tokenOptions(args: string[]): TokenOptions | 'help' {
  const command = args.find((arg) => (COMMANDS as readonly string[]).includes(arg));
  const [first] = args;
  if (command === undefined && !first?.startsWith('-')) {
    const internalError =
      first === undefined ? 'Which command?' : `There is no command ${JSON.stringify(first)}.`;
    throw new ExplainedError(`${internalError} There is ${COMMANDS.join(', ')}. --help tells the rest`);
  }
  const positionals = command === 'revoke' ? ['command', 'service', 'token_id'] : ['command', 'service'];
  const options = commandOptions(args, DEFAULTS, optionsSchema, positionals);
  if (options === 'help') {
    return options;
  }
  if (options.command === 'create') {
    confirmedWhereReal('token', options);
    return options;
  }
  const astray = Object.keys(FOR_CREATE).filter((name) => options[name as keyof TokenOptions] !== undefined);
  if (astray.length > 0) {
    throw new ExplainedError(
      astray.map((name) => `--${name}: ${options.command} does not take it`).join('\n'),
    );
  }
  confirmed('token', options);
  return options;
}
