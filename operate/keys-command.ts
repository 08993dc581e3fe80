import { hintQueue } from '../functions/adapters/hint-queue.ts';
import { hint } from '../functions/core/hint.ts';
import type { PausedKey } from '../functions/core/key-lifecycle.ts';
import { ExplainedError } from '../local/explained-error.ts';
import { becoming } from './key-becoming.ts';
import { type FaultedKey, type KeyTable, keyTable } from './key-table.ts';
import { ALL, KEYS_HELP, type KeysOptions, keysOptions } from './keys-options.ts';
import { keyText, listText, outcomeText, stateText } from './keys-report.ts';
import type { StageAccess } from './stage-access.ts';
import type { Surroundings } from './surroundings.ts';

/**
 * @returns whether all is well: nothing failed, and something was done where something was to be done
 * @throws ExplainedError when there is nothing to do, or what was asked for does not make sense
 */
export async function keysCommand(args: string[], surroundings: Surroundings): Promise<boolean> {
  const options = keysOptions(args);
  if (options === 'help') {
    surroundings.print(KEYS_HELP);
    return true;
  }
  const access = await surroundings.access(options.stage);
  const keys = keyTable(access.dynamodb, await access.tables());
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

async function list(keys: KeyTable, { limit }: KeysOptions, print: Print): Promise<boolean> {
  const unreadable: string[] = [];
  const found = await keys.faulted(limit, ({ message }) => unreadable.push(message));
  print(listText(found, unreadable), { keys: found, unreadable });
  return true;
}

async function show(
  keys: KeyTable,
  { key: name, limit, stage }: KeysOptions,
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
  readonly keys: KeyTable;
  readonly access: StageAccess;
  readonly options: KeysOptions;
  readonly print: Print;
  readonly progress: ((line: string) => void) | undefined;
}

/** Sends hints to release or skip, and looks what becomes of them. */
async function goOn(wish: 'release' | 'skip', going: Going): Promise<boolean> {
  const { keys, access, options, print, progress } = going;
  const wanted = await faultedKeys(keys, options);
  if (!options.yes) {
    const heads = await Promise.all(
      wanted.slice(0, 10).map(async ({ ordering_key }) => keys.waiting(ordering_key, 1)),
    );
    const what =
      wish === 'release' ? 'would be tried now' : 'would be given up for good, and the next one tried';
    const lines = heads.map(({ first: [head], count }, index) => {
      const { ordering_key } = wanted[index] as FaultedKey;
      return `${ordering_key}: its first message, ${head?.pointer.message_id ?? 'none'}, ${what}; ${count} wait.`;
    });
    const more = wanted.length > lines.length ? [`… and ${wanted.length - lines.length} more.`] : [];
    print([...lines, ...more, 'Nothing was changed. --yes does it.'].join('\n'), {
      [`would_${wish}`]: wanted.map(({ ordering_key }) => ordering_key),
    });
    return true;
  }
  let refused: unknown;
  const send = hintQueue(access.sqs, await access.deliveriesUrl(), (fault) => {
    refused = fault;
  });
  const heads = new Map<string, string | undefined>();
  if (wish === 'skip') {
    for (const { ordering_key } of wanted) {
      heads.set(ordering_key, await headOf(keys, ordering_key));
    }
  }
  const hints = wanted.map((key) => hint(key, wish));
  const untaken = new Set(await send(hints));
  const told = wanted.filter((_, index) => !untaken.has(hints[index] as (typeof hints)[number]));
  const outcomes: { key: string; after: PausedKey | undefined | 'unchanged'; givenUp: string | undefined }[] =
    [];
  for (const [index, key] of told.entries()) {
    progress?.(`${index} of ${told.length} seen to`);
    const after = await becoming(keys, key);
    const head = heads.get(key.ordering_key);
    const isGone = head !== undefined && (await headOf(keys, key.ordering_key)) !== head;
    outcomes.push({ key: key.ordering_key, after, givenUp: isGone ? head : undefined });
  }
  const lines = outcomes.map(({ key, after, givenUp }) => `${key}: ${outcomeText(after, wish, givenUp)}`);
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

async function headOf(keys: KeyTable, orderingKey: string): Promise<string | undefined> {
  const { first } = await keys.waiting(orderingKey, 1);
  return first[0]?.pointer.message_id;
}

async function faultedKeys(
  keys: KeyTable,
  { key: name, limit, stage }: KeysOptions,
): Promise<readonly FaultedKey[]> {
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
