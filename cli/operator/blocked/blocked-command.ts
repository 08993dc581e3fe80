import { signalQueue } from '../../../functions/adapters/sqs/signal-queue.ts';
import type { BlockedKey } from '../../../functions/core/ordering/blocked-ordering-key.ts';
import { type Signal, signal } from '../../../functions/core/ordering/signal.ts';
import type { StageAccess } from '../../stage/stage-access.ts';
import { ExplainedError } from '../../terminal/explained-error.ts';
import type { Surroundings } from '../../terminal/surroundings.ts';
import { recorded } from '../trail/operators-trail.ts';
import { ALL, STUCK_HELP, type StuckOptions, stuckOptions } from './blocked-options.ts';
import { keyText, listText, outcomeText, stateText } from './blocked-report.ts';
import { becoming } from './ordering-key-becoming.ts';
import { type OrderingKeyTable, orderingKeyTable, type StuckKey } from './ordering-key-table.ts';

/**
 * @returns whether all is well: nothing failed, and something was done where something was to be done
 * @throws ExplainedError when there is nothing to do, or what was asked for does not make sense
 */
export async function stuckCommand(args: string[], surroundings: Surroundings): Promise<boolean> {
  const options = stuckOptions(args);
  if (options === 'help') {
    surroundings.print(STUCK_HELP);
    return true;
  }
  const access = await surroundings.access(options.stage);
  const keys = orderingKeyTable(access.dynamodb, await access.tables());
  const print = (text: string, json: object) =>
    surroundings.print(`${options.json ? JSON.stringify(json) : text}\n`);
  switch (options.command) {
    case 'list':
      return list(keys, options, print);
    case 'show':
      return show(keys, options, print);
    default:
      return goOn(options.command, { keys, access, options, print, progress: surroundings.progress });
  }
}

type Print = (text: string, json: object) => void;

async function list(keys: OrderingKeyTable, { limit }: StuckOptions, print: Print): Promise<boolean> {
  const unreadable: string[] = [];
  const found = await keys.faulted(limit, ({ message }) => unreadable.push(message));
  print(listText(found, unreadable), { keys: found, unreadable });
  return true;
}

async function show(
  keys: OrderingKeyTable,
  { key: name, limit, stage }: StuckOptions,
  print: Print,
): Promise<boolean> {
  const key = await keys.key(name);
  const { first, count } = await keys.waiting(name, limit);
  if (key === undefined && count === 0) {
    throw notPaused(name, stage);
  }
  print(keyText(name, key, first, count), { key: key ?? null, waiting: first, waiting_count: count });
  return true;
}

interface Going {
  readonly keys: OrderingKeyTable;
  readonly access: StageAccess;
  readonly options: StuckOptions;
  readonly print: Print;
  readonly progress: ((backlog: string) => void) | undefined;
}

/** Sends hints to release or skip, and looks what becomes of them. */
async function goOn(signalKind: 'release' | 'skip', going: Going): Promise<boolean> {
  const { keys, access, options, print, progress } = going;
  const wanted = await stuckKeys(keys, options);
  if (!options.yes) {
    const heads = await Promise.all(
      wanted.slice(0, 10).map(async ({ ordering_key }) => keys.waiting(ordering_key, 1)),
    );
    const what =
      signalKind === 'release' ? 'would be tried now' : 'would be given up for good, and the next one tried';
    const lines = heads.map(({ first: [head], count }, index) => {
      const { ordering_key } = wanted[index] as StuckKey;
      return `${ordering_key}: its first message, ${head?.queuedMessage.message_id ?? 'none'}, ${what}; ${count} wait.`;
    });
    const more = wanted.length > lines.length ? [`… and ${wanted.length - lines.length} more.`] : [];
    print([...lines, ...more, 'Nothing was changed. --yes does it.'].join('\n'), {
      [`would_${signalKind}`]: wanted.map(({ ordering_key }) => ordering_key),
    });
    return true;
  }
  const asked = { command: `keys ${signalKind}`, arguments: { key: options.key, limit: options.limit } };
  const { outcomes, untaken, refused } = await recorded(await access.operators(), asked, async () => {
    const result = await tell(signalKind, wanted, keys, access, progress);
    return { result, ...whatCame(signalKind, wanted, result) };
  });
  const lines = outcomes.map(
    ({ key, after, givenUp }) => `${key}: ${outcomeText(after, signalKind, givenUp)}`,
  );
  if (untaken.size > 0) {
    lines.push(
      `${untaken.size} hints were not taken by the queue: ${refused ?? 'it is throttled'}. Run again.`,
    );
  }
  print(lines.join('\n'), {
    outcomes: outcomes.map(({ key, after, givenUp }) => ({
      key,
      became: after ?? null,
      ...(givenUp === undefined ? {} : { given_up: givenUp }),
    })),
    untaken: [...untaken].map(({ subscription_id, payment_id }) => `${subscription_id}.${payment_id}`),
  });
  return (
    untaken.size === 0 &&
    outcomes.every(({ after }) => after === undefined || (after !== 'unchanged' && after.state !== 'fault'))
  );
}

interface Told {
  readonly outcomes: readonly {
    readonly key: string;
    readonly after: BlockedKey | undefined | 'unchanged';
    readonly givenUp: string | undefined;
  }[];
  readonly untaken: ReadonlySet<Signal>;
  readonly refused: unknown;
}

async function tell(
  signalKind: 'release' | 'skip',
  wanted: readonly StuckKey[],
  keys: OrderingKeyTable,
  access: StageAccess,
  progress: Going['progress'],
): Promise<Told> {
  let refused: unknown;
  const send = signalQueue(access.sqs, await access.deliveriesUrl(), (internalError) => {
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
  const outcomes: Told['outcomes'][number][] = [];
  for (const [index, key] of told.entries()) {
    progress?.(`${index} of ${told.length} seen to`);
    const after = await becoming(keys, key);
    const head = heads.get(key.ordering_key);
    const isGone = head !== undefined && (await headOf(keys, key.ordering_key)) !== head;
    outcomes.push({ key: key.ordering_key, after, givenUp: isGone ? head : undefined });
  }
  return { outcomes, untaken, refused };
}

/** For the trail: how many, and for partners which message was given up, or how many payments of a subscription were tried again. */
function whatCame(signalKind: 'release' | 'skip', wanted: readonly StuckKey[], { outcomes, untaken }: Told) {
  const goesOn = outcomes.filter(
    ({ after }) => after === undefined || (after !== 'unchanged' && after.state !== 'fault'),
  );
  const givenUp = outcomes.flatMap(({ givenUp }) => givenUp ?? []);
  const outcome = {
    wanted: wanted.length,
    told: outcomes.length,
    untaken: untaken.size,
    go_on: goesOn.length,
    ...(givenUp.length === 0 ? {} : { given_up: givenUp.join(' ') }),
  };
  const keyOf = new Map(wanted.map((key) => [key.ordering_key, key]));
  if (signalKind === 'skip') {
    const changes = outcomes.flatMap(({ key, givenUp: message_id }) => {
      const { service_id, subscription_id } = keyOf.get(key) as StuckKey;
      const changed = { state: { from: 'parked', to: 'cancelled' } };
      return message_id === undefined
        ? []
        : [{ service_id, subscription_id, message_id, operation: 'skipMessage', changed }];
    });
    return { outcome, changes };
  }
  const told = outcomes.map(({ key }) => keyOf.get(key) as StuckKey);
  const changes = [...Map.groupBy(told, ({ subscription_id }) => subscription_id).values()].map((some) => {
    const { service_id, subscription_id } = some[0] as StuckKey;
    return {
      service_id,
      subscription_id,
      operation: 'releasePayments',
      changed: { payments: { to: some.length } },
    };
  });
  return { outcome, changes };
}

async function headOf(keys: OrderingKeyTable, orderingKey: string): Promise<string | undefined> {
  const { first } = await keys.waiting(orderingKey, 1);
  return first[0]?.queuedMessage.message_id;
}

async function stuckKeys(
  keys: OrderingKeyTable,
  { key: name, limit, stage }: StuckOptions,
): Promise<readonly StuckKey[]> {
  if (name === ALL) {
    const all = await keys.faulted(limit, () => {});
    if (all.length === 0) {
      throw new ExplainedError(`No payment waits for you on ${stage}: there is nothing to release.`);
    }
    return all;
  }
  const key = await keys.key(name);
  if (key === undefined) {
    throw notPaused(name, stage);
  }
  if (key.state !== 'fault') {
    throw new ExplainedError(`${name} does not wait for you: ${stateText(key)}.`);
  }
  return [key];
}

function notPaused(name: string, stage: string): ExplainedError {
  return new ExplainedError(
    `${name} is not paused on ${stage}: nothing waits in it, or it is the key of nobody.`,
  );
}
