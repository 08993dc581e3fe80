import * as z from 'zod';
import type { StageAccess } from '../../stage/stage-access.ts';
import { ExplainedError } from '../../terminal/explanation.ts';
import { oneOf, wholeNumberOption } from '../../terminal/option-kinds.ts';
import { recorded } from '../audit/audit-command.ts';
import { CHANGES_STAGE, operatorCommand, type World } from '../operator-command.ts';
import { RESTORABLE, type Restorable, type RestorableName } from './restorable.ts';
import { copyOrderingKeys } from './restore-keys.ts';
import {
  type Counts,
  NOTHING,
  type Position,
  positionOf,
  positionText,
  restoreText,
} from './restore-report.ts';
import { copySequences } from './restore-sequences.ts';
import { resealer, routesMender, subscriptionPutter } from './restore-subscription.ts';
import { copyPage, restoredItems } from './restore-table.ts';

const TABLES = Object.keys(RESTORABLE) as RestorableName[];

export const restore = operatorCommand({
  name: 'restore',
  summary: 'Copy missing items into a table from one that was restored by point-in-time recovery',
  arguments: { table: { check: oneOf(TABLES), help: TABLES.join(', ') } },
  options: {
    from: {
      value: 'NAME',
      required: true,
      check: z.string().regex(/^[A-Za-z0-9_.-]{3,255}$/, 'must be the name of a table'),
      help: 'the restored table, in the same account and region',
    },
    'sealed-with': {
      value: 'ARN',
      check: z.string().regex(/^arn:[^:]+:kms:[^:]+:[0-9]+:key\//, 'must be the ARN of a KMS key'),
      help: 'for signing-secrets of a stage that lived elsewhere: the key that sealed them',
    },
    'per-second': wholeNumberOption('how many items are read in a second at most', 1, 10_000, {
      default: '200',
    }),
    continue: {
      value: 'POSITION',
      check: z.string().transform((text, context): Position => {
        const position = positionOf(text);
        if (position === undefined) {
          context.addIssue({ code: 'custom', message: 'must be a position that an earlier run printed' });
          return z.NEVER;
        }
        return position;
      }),
      help: 'continue where an earlier run was cut short: the position that it printed',
    },
    ...CHANGES_STAGE,
  },
  example: 'history --from payhooks-dev-history-restored --stage dev',
  remarks:
    'Copies an item only when it is missing, or older than the restored one; what has changed since that point in time stays as it\nis. For subscriptions, history and keys stop deliver first, for sequences match. Order: subscriptions, signing-secrets,\nhistory, keys, sequences, then the others. docs/restore.md has the whole procedure.',
  check(given) {
    if (given['sealed-with'] !== undefined && given.table !== 'signing-secrets') {
      throw new ExplainedError('only signing-secrets are sealed: leave out --sealed-with');
    }
  },
  async run(given, world) {
    const { print, progress } = world;
    const { table: name, from, yes, stage } = given;
    const what: Restorable = RESTORABLE[name];
    const access = await world.access(stage);
    const live = (await access.tables())[what.table];
    if (from === live) {
      throw new ExplainedError(`--from: ${from} is the live table itself; give the name of the restored one`);
    }
    const { needsQuiet } = what;
    if (yes && needsQuiet !== undefined && !(await access.isStopped(needsQuiet))) {
      throw new ExplainedError(
        `${needsQuiet} is at work on ${stage}, and a worker that writes during the copy would break what belongs together. Stop ${needsQuiet}'s event source mapping first: docs/restore.md`,
      );
    }
    const counts = yes
      ? await recorded(
          await access.operators(),
          { command: 'restore', arguments: { table: name, from, 'per-second': given['per-second'] } },
          async () => {
            const result = await copyTable(given, what, access, progress);
            return { result, outcome: { ...result } };
          },
        )
      : await copyTable(given, what, access, progress);
    print(restoreText(given, counts), { table: name, from, copied: yes, ...counts });
    return counts.unknown === 0 && counts.overtaken === 0;
  },
});

interface Wanted {
  readonly table: RestorableName;
  readonly from: string;
  readonly yes: boolean;
  readonly continue: Position | undefined;
  readonly 'per-second': number;
  readonly 'sealed-with': string | undefined;
}

async function copyTable(
  { table: name, from, yes: goes, continue: after, ...given }: Wanted,
  what: Restorable,
  { dynamodb: client, tables, secretsKey, settings: { deliveryPolicy: policy } }: StageAccess,
  progress: World['progress'],
): Promise<Counts> {
  const counts: Counts = { ...NOTHING };
  const names = await tables();
  const table = names[what.table];
  const own =
    name === 'subscriptions'
      ? { put: subscriptionPutter(client, table), mended: routesMender(client, table) }
      : {};
  const sealedWith = given['sealed-with'];
  const resealed =
    sealedWith &&
    (await resealer(client, {
      from: sealedWith,
      to: await secretsKey(),
    }));
  let done = after && positionText(after);
  try {
    for await (const { items, position } of restoredItems(client, {
      from,
      perSecond: given['per-second'],
      after,
    })) {
      if (name === 'ordering-keys') {
        await copyOrderingKeys(items, counts, { client, tables: { ...names, from }, goes, policy });
      } else if (name === 'sequences') {
        const nowMs = Date.now();
        await copySequences(items, counts, { client, tables: { ...names, from }, goes, nowMs, policy });
      } else {
        const copies = resealed ? await resealed(items) : items;
        await copyPage(copies, counts, { client, table, what, goes, nowMs: Date.now(), ...own });
      }
      done = position && positionText(position);
      progress?.(
        `${counts.lookedAt} items read, ${counts.missing} missing${done === undefined ? '' : `; --continue ${done}`}`,
      );
    }
    return counts;
  } catch (error) {
    if (error instanceof Error && error.name === 'ResourceNotFoundException') {
      throw new ExplainedError(`--from: there is no table ${from} in this account and region`);
    }
    throw done === undefined
      ? error
      : new Error(`cut short after ${counts.lookedAt} items; continue with --continue ${done}`, {
          cause: error,
        });
  }
}
