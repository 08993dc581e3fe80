import { stageNamed } from '../../../lib/stages.ts';
import type { StageAccess } from '../../stage/stage-access.ts';
import { ExplainedError } from '../../terminal/explained-error.ts';
import type { Surroundings } from '../../terminal/surroundings.ts';
import { recorded } from '../trail/operators-trail.ts';
import { RESTORABLE, type Restorable } from './restorable.ts';
import { copyOrderingKeys } from './restore-keys.ts';
import {
  positionOf,
  positionText,
  RESTORE_HELP,
  type RestoreOptions,
  restoreOptions,
} from './restore-options.ts';
import { type Counts, NOTHING, restoreText } from './restore-report.ts';
import { routesMender } from './restore-routes.ts';
import { subscriptionPutter } from './restore-subscription.ts';
import { copyPage, restoredItems } from './restore-table.ts';

/**
 * @returns whether all is well: nothing is left to be looked after
 * @throws ExplainedError when deliveries are under way, or what was asked for does not make sense
 */
export async function restoreCommand(args: string[], surroundings: Surroundings): Promise<boolean> {
  const options = restoreOptions(args);
  const { print, progress } = surroundings;
  if (options === 'help') {
    print(RESTORE_HELP);
    return true;
  }
  const { table: name, from, yes, stage } = options;
  const what: Restorable = RESTORABLE[name];
  const access = await surroundings.access(stage);
  const live = (await access.tables())[what.table];
  if (from === live) {
    throw new ExplainedError(`--from: ${from} is the live table itself; say the name of the restored one`);
  }
  if (yes && what.needsQuiet && !(await access.deliveriesStopped())) {
    throw new ExplainedError(
      `Deliveries are under way on ${stage}: a worker that writes beside the copy would break what belongs together. Stop deliver's event source mapping first: docs/restore.md`,
    );
  }
  const counts = yes
    ? await recorded(
        await access.operators(),
        { command: 'restore', arguments: { table: name, from, 'per-second': options['per-second'] } },
        async () => {
          const result = await restore(options, what, access, progress);
          return { result, outcome: { ...result } };
        },
      )
    : await restore(options, what, access, progress);
  print(
    options.json
      ? `${JSON.stringify({ table: name, from, copied: yes, ...counts })}\n`
      : `${restoreText(options, counts)}\n`,
  );
  return counts.unknown === 0 && counts.overtaken === 0;
}

async function restore(
  { table: name, from, yes: goes, stage, continue: from_place, 'per-second': perSecond }: RestoreOptions,
  what: Restorable,
  { dynamodb: client, tables }: StageAccess,
  progress: Surroundings['progress'],
): Promise<Counts> {
  const counts: Counts = { ...NOTHING };
  const { deliveryPolicy: policy } = stageNamed(stage);
  const names = await tables();
  const table = names[what.table];
  const own =
    name === 'subscriptions'
      ? { put: subscriptionPutter(client, table), mended: routesMender(client, table) }
      : {};
  let done = from_place;
  try {
    const after = from_place === undefined ? undefined : positionOf(from_place);
    for await (const { items, position } of restoredItems(client, { from, perSecond, after })) {
      if (name === 'keys') {
        await copyOrderingKeys(items, counts, { client, tables: { ...names, from }, goes, policy });
      } else {
        await copyPage(items, counts, { client, table, what, goes, nowMs: Date.now(), ...own });
      }
      done = position && positionText(position);
      progress?.(
        `${counts.lookedAt} looked at, ${counts.missing} missing${done === undefined ? '' : `; --continue ${done}`}`,
      );
    }
    return counts;
  } catch (error) {
    if (error instanceof Error && error.name === 'ResourceNotFoundException') {
      throw new ExplainedError(`--from: there is no table ${from} in this account and region`);
    }
    throw done === undefined
      ? error
      : new Error(`cut short after ${counts.lookedAt} items; go on with --continue ${done}`, {
          cause: error,
        });
  }
}
