import { setTimeout as delay } from 'node:timers/promises';
import { signalQueue } from '../../../functions/adapters/sqs/signal-queues.ts';
import type { BlockedKey } from '../../../functions/core/ordering/blocked-ordering-key.ts';
import { type Signal, signal } from '../../../functions/core/signal/signal.ts';
import type { StageAccess } from '../../stage/stage-access.ts';
import type { World } from '../operator-command.ts';
import type { OrderingKeyTable, StuckKey } from './ordering-key-table.ts';

/** What became of payments after they were signalled. */
export interface Signalled {
  readonly outcomes: readonly {
    readonly key: string;
    readonly after: BlockedKey | undefined | 'unchanged';
    readonly givenUp: string | undefined;
  }[];
  readonly untaken: ReadonlySet<Signal>;
  readonly refused: unknown;
}

/** Signals each payment, and watches what becomes of it. */
export async function signalStuck(
  signalKind: 'release' | 'skip',
  wanted: readonly StuckKey[],
  keys: OrderingKeyTable,
  access: StageAccess,
  progress: World['progress'],
): Promise<Signalled> {
  let refused: unknown;
  const send = signalQueue(access.sqs, await access.queueUrl('DeliveriesQueueUrl'), (internalError) => {
    refused = internalError;
  });
  const heads = new Map<string, string | undefined>();
  if (signalKind === 'skip') {
    for (const { ordering_key } of wanted) {
      heads.set(ordering_key, await headOf(keys, ordering_key));
    }
  }
  const signals = wanted.map((key) => signal(key, signalKind));
  const untaken = new Set(await send(signals));
  const told = wanted.filter((_, index) => !untaken.has(signals[index] as Signal));
  const outcomes: Signalled['outcomes'][number][] = [];
  for (const [index, key] of told.entries()) {
    progress?.(`${index} of ${told.length} done`);
    const after = await becoming(keys, key);
    const head = heads.get(key.ordering_key);
    const isGone = head !== undefined && (await headOf(keys, key.ordering_key)) !== head;
    outcomes.push({ key: key.ordering_key, after, givenUp: isGone ? head : undefined });
  }
  return { outcomes, untaken, refused };
}

/** Whether the payment is blocked by an internal error no more. */
export function goesOn(after: Signalled['outcomes'][number]['after']): boolean {
  return after === undefined || (after !== 'unchanged' && after.state !== 'stuck');
}

/**
 * What is on record of it. For operators: how many payments. For partners: which message was given up, or how
 * many payments were attempted again.
 */
export function auditOf(
  signalKind: 'release' | 'skip',
  wanted: readonly StuckKey[],
  { outcomes, untaken }: Signalled,
) {
  const givenUp = outcomes.flatMap(({ givenUp }) => givenUp ?? []);
  const outcome = {
    wanted: wanted.length,
    told: outcomes.length,
    untaken: untaken.size,
    go_on: outcomes.filter(({ after }) => goesOn(after)).length,
    ...(givenUp.length === 0 ? {} : { given_up: givenUp.join(' ') }),
  };
  const keyOf = new Map(wanted.map((key) => [key.ordering_key, key]));
  if (signalKind === 'skip') {
    const changes = outcomes.flatMap(({ key, givenUp: message_id }) => {
      const { service_id, subscription_id } = keyOf.get(key) as StuckKey;
      const changed = { state: { from: 'parked', to: 'cancelled' } };
      return message_id === undefined
        ? []
        : [{ service_id, subscription_id, message_id, operation: 'skipMessage' as const, changed }];
    });
    return { outcome, changes };
  }
  const told = outcomes.map(({ key }) => keyOf.get(key) as StuckKey);
  const changes = [...Map.groupBy(told, ({ subscription_id }) => subscription_id).values()].map((some) => {
    const { service_id, subscription_id } = some[0] as StuckKey;
    return {
      service_id,
      subscription_id,
      operation: 'releasePayments' as const,
      changed: { payments: { to: some.length } },
    };
  });
  return { outcome, changes };
}

async function headOf(keys: OrderingKeyTable, orderingKey: string): Promise<string | undefined> {
  const { first } = await keys.waiting(orderingKey, 1);
  return first[0]?.queuedMessage.message_id;
}

/** A signal is handled within a second, but an attempt may take its whole deadline. */
const LOOKS = 15;
const MS_BETWEEN_LOOKS = 1_000;

/** The ordering key once somebody has changed it; `unchanged` when nobody has for a while. */
async function becoming(
  keys: Pick<OrderingKeyTable, 'key'>,
  { ordering_key, revision }: StuckKey,
): Promise<BlockedKey | undefined | 'unchanged'> {
  for (let look = 0; look < LOOKS; look += 1) {
    const key = await keys.key(ordering_key);
    if (key === undefined || (key.revision !== revision && !isDueNow(key))) {
      return key;
    }
    await delay(MS_BETWEEN_LOOKS);
  }
  const key = await keys.key(ordering_key);
  return key?.revision === revision ? 'unchanged' : key;
}

/** Released a moment ago: its first message is being attempted. */
function isDueNow(key: BlockedKey): boolean {
  return key.state === 'waiting' && Date.parse(key.due_at) <= Date.now();
}
