import { randomBytes } from 'node:crypto';
import {
  changeStageKeys,
  stageKeyReader,
} from '../../../functions/adapters/dynamodb/secrets/stage-key-table.ts';
import {
  MAX_STAGE_KEYS,
  rotatedStageKeys,
  STAGE_KEY_BYTES,
  type StageKeySet,
} from '../../../functions/core/attempt/stage-keys.ts';
import type { StageAccess } from '../../stage/stage-access.ts';
import { ExplainedError } from '../../terminal/explanation.ts';
import { wholeNumberOption } from '../../terminal/option-kinds.ts';
import { textTable } from '../../terminal/terminal.ts';
import { recorded } from '../audit/audit-command.ts';
import { CHANGES_STAGE, ON_STAGE, operatorCommand } from '../operator-command.ts';

const HOUR_MS = 3_600_000;
const DAY_HOURS = 24;

const REMARKS = `Receivers fetch the public halves at /v1/.well-known/jwks.json and keep them for an hour. A new key is listed at once, and signs
when the ones before it have expired. --overlap-hours 0 is for a key that has leaked: the others are dropped at once, and receivers
that still hold the old list refuse webhooks until they fetch it again.`;

/** @param now in ms since 1970 */
export async function rotateStageKeys(
  access: Pick<StageAccess, 'dynamodb' | 'tables' | 'seal' | 'operators'>,
  overlapHours: number,
  now: () => number,
): Promise<StageKeySet['keys']> {
  const tables = await access.tables();
  const before = await stageKeyReader(access.dynamodb, tables.subscriptions)();
  const change = rotatedStageKeys(
    before ?? { keys: [] },
    randomBytes(STAGE_KEY_BYTES),
    overlapHours * HOUR_MS,
    now(),
  );
  if (change === undefined) {
    throw new ExplainedError(
      `${MAX_STAGE_KEYS} keys have not expired: wait until one has (stage-keys list), or drop them all with --overlap-hours 0.`,
    );
  }
  const { kid } = change.added.listed;
  const seal = await access.seal();
  const deed = { command: 'stage-keys rotate', arguments: { overlap_hours: overlapHours } };
  await recorded(await access.operators(), deed, async () => {
    if (!(await changeStageKeys(access.dynamodb, tables, seal, before, change))) {
      throw new ExplainedError('Somebody else has just rotated the keys: look at them with stage-keys list.');
    }
    return { result: undefined, outcome: { kid } };
  });
  return [...change.keys];
}

export const STAGE_KEYS_COMMANDS = [
  operatorCommand({
    name: 'stage-keys list',
    summary: 'List the keys with which the stage signs rfc9421, newest first',
    options: ON_STAGE,
    example: '--stage dev',
    remarks: REMARKS,
    async run({ stage }, { access, print }) {
      const { dynamodb, tables } = await access(stage);
      const keys = (await stageKeyReader(dynamodb, (await tables()).subscriptions)())?.keys ?? [];
      print(keys.length === 0 ? 'The stage has no key yet: stage-keys rotate makes one.' : keysText(keys), {
        keys,
      });
      return true;
    },
  }),
  operatorCommand({
    name: 'stage-keys rotate',
    summary: 'Make a key with which the stage signs rfc9421; the earlier ones expire after an overlap',
    options: {
      'overlap-hours': wholeNumberOption('how long the earlier ones keep signing; 0: not at all', 0, 168, {
        default: String(DAY_HOURS),
      }),
      ...CHANGES_STAGE,
    },
    example: '--stage dev --yes',
    remarks: REMARKS,
    check({ 'overlap-hours': hours }) {
      if (hours === 1) {
        throw new ExplainedError(
          '--overlap-hours must be 0, or 2 to 168: receivers keep the list for an hour, and must know the new key before it signs.',
        );
      }
    },
    async run({ stage, yes, 'overlap-hours': hours }, { access, now, print }) {
      if (!yes) {
        const { dynamodb, tables } = await access(stage);
        const keys = (await stageKeyReader(dynamodb, (await tables()).subscriptions)())?.keys ?? [];
        print(`${planText(keys.length, hours)}\nNothing was changed. --yes does it.`, { keys });
        return true;
      }
      const keys = await rotateStageKeys(await access(stage), hours, now);
      print(keysText(keys), { keys });
      return true;
    },
  }),
];

function planText(count: number, hours: number): string {
  if (count === 0) {
    return 'It would make the first key of the stage, which signs at once.';
  }
  return hours === 0
    ? 'It would make a key that signs at once, and drop the others.'
    : `It would make a key, listed at once. Those without an expiry would expire in ${hours} hours, and it would sign from then on.`;
}

function keysText(keys: StageKeySet['keys']): string {
  return textTable([
    ['kid', 'created at', 'expires at'],
    ...keys.map(({ kid, created_at, expires_at = '' }) => [kid, created_at, expires_at]),
  ]).join('\n');
}
