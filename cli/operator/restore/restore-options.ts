import * as z from 'zod';
import { STAGE_NAMES } from '../../stage/stage-access.ts';
import { commandOptions, numberOption } from '../../terminal/command-options.ts';
import { confirmed } from '../../terminal/confirmed.ts';
import { ExplainedError } from '../../terminal/explained-error.ts';
import { RESTORABLE } from './restorable.ts';

const TABLES = Object.keys(RESTORABLE) as (keyof typeof RESTORABLE)[];

export const RESTORE_HELP = `Copies what is missing in a table back from one that was restored from point-in-time recovery.

  npm run restore -- <table> --from <restored table> [options]

  <table>          ${TABLES.slice(0, 4).join(', ')},
                   ${TABLES.slice(4).join(', ')}
  --from NAME      the restored table, in the same account and region
  --yes            copy; without it only counts what is missing, older, or has changed since
  --per-second N   so many items at most are looked at in a second, 1 to 10000 (default: 200)
  --continue PLACE go on where an earlier run was cut short, as it has told
  --stage NAME     ${STAGE_NAMES.join(', ')} (default: local)
  --confirm NAME   needed with --yes on prod: prod once more
  --json           print one JSON object and nothing else
  --help

Copies an item only when it is missing, or older than the restored one; what has changed since the point of the restoration stays as it is. subscriptions,
history and keys want deliveries to be stopped. Order: ${['subscriptions', 'signing-secrets', 'history', 'keys'].join(', ')}, then the others. docs/restore.md tells the whole way.
`;

const optionsSchema = z.object({
  table: z.enum(TABLES, `must be one of ${TABLES.join(', ')}`),
  from: z
    .string('must be said: the name of the restored table')
    .regex(/^[A-Za-z0-9_.-]{3,255}$/, 'must be the name of a table'),
  yes: z.boolean(),
  'per-second': numberOption(1, 10_000, { whole: true }),
  continue: z.string().optional(),
  stage: z.enum(STAGE_NAMES, `there is none of that name; there is ${STAGE_NAMES.join(', ')}`),
  confirm: z.string().optional(),
  json: z.boolean(),
});
export type RestoreOptions = z.infer<typeof optionsSchema>;

const DEFAULTS = {
  from: undefined,
  yes: false,
  'per-second': '200',
  continue: undefined,
  stage: 'local',
  confirm: undefined,
  json: false,
} as const;

/** @throws ExplainedError, or Node's own error of `parseArgs`, naming what is at fault */
export function restoreOptions(args: string[]): RestoreOptions | 'help' {
  const options = commandOptions(args, DEFAULTS, optionsSchema, ['table']);
  if (options === 'help') {
    return options;
  }
  if (options.continue !== undefined && positionOf(options.continue) === undefined) {
    throw new ExplainedError('--continue: is not a place that an earlier run told');
  }
  confirmed('restore', options);
  return options;
}

type Position = Readonly<Record<string, string>>;

/** The place of a run in the restored table, as people hand it back. */
export function positionText(position: Position): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url');
}

/** Undefined when it is none of ours. */
export function positionOf(text: string): Position | undefined {
  try {
    return z.record(z.string(), z.string()).parse(JSON.parse(Buffer.from(text, 'base64url').toString()));
  } catch {
    // Not JSON, or no keys of an item.
    return undefined;
  }
}
