import * as z from 'zod';
import type { ChosenDeployment } from '../../stage/chosen-deployment.ts';
import { ExplainedError } from '../../terminal/explanation.ts';
import { printable } from '../../terminal/terminal.ts';
import { recorded } from '../audit/audit-command.ts';
import { CHANGES_STAGE, limit, ON_STAGE, operatorCommand, type World } from '../operator-command.ts';
import { type OrderingKeyTable, orderingKeyTable, type StuckKey } from './ordering-key-table.ts';
import { stuckEventTable } from './stuck-event-table.ts';
import { eventsText, goOnWithEvents, stuckEventsText } from './stuck-events.ts';
import { keyText, listText, outcomeText, stateText } from './stuck-report.ts';
import { auditOf, goesOn, signalStuck } from './stuck-signals.ts';

const ALL = 'all';
const ORDERING_KEY =
  'must be a subscription and a payment, joined by a dot: sub_….pay_…; or a service and a payment';
const ONE = {
  check: z.string().regex(/^[^.]+\.[^.]+$/, ORDERING_KEY),
  help: 'subscription and payment, joined by a dot: sub_….pay_…; service and payment, when its events wait',
} as const;
const ONE_OR_ALL = {
  check: z.string().regex(/^[^.]+\.[^.]+$|^all$/, `${ORDERING_KEY}, or all`),
  help: `${ONE.help}; or all, for all subscriptions that stuck list shows`,
} as const;
const REMARKS =
  'Remove the cause first: a message that still cannot be sent ends up here again. Exit code 1: something is left to be done.';

export const STUCK = [
  operatorCommand({
    name: 'stuck list',
    summary: 'List payments that wait for an operator because of an internal error, the oldest first',
    options: { ...limit(100, 'how many payments at most'), ...ON_STAGE },
    example: '--stage dev',
    async run({ stage, limit }, { access, print }) {
      const { keys, events } = await reached(stage, access);
      const unreadable: string[] = [];
      const found = await keys.stuck(limit, ({ message }) => unreadable.push(message));
      const payments = await events.payments(limit, ({ message }) => unreadable.push(message));
      const texts = [
        ...(found.length > 0 || payments.length === 0 ? [listText(found, [])] : []),
        ...(payments.length > 0 ? [stuckEventsText(payments)] : []),
        ...unreadable.map(printable),
      ];
      print(texts.join('\n'), { keys: found, payments, unreadable });
      return true;
    },
  }),
  operatorCommand({
    name: 'stuck show',
    summary: 'Show one payment of a subscription: its state and the messages that wait',
    arguments: { 'ordering-key': ONE },
    options: { ...limit(100, 'how many messages at most'), ...ON_STAGE },
    example: 'sub_2cXj1x8.pay_1 --stage dev',
    async run({ 'ordering-key': name, stage, limit }, { access, print }) {
      const { keys, events } = await reached(stage, access);
      const key = await keys.key(name);
      const { first, count } = await keys.waiting(name, limit);
      if (key === undefined && count === 0) {
        const payment = await events.payment(name);
        if (payment !== undefined) {
          const waiting = await events.events(payment, limit);
          print(eventsText(payment, waiting, limit), { payment, waiting });
          return true;
        }
        throw notBlocked(name, stage);
      }
      print(keyText(name, key, first, count), { key: key ?? null, waiting: first, waiting_count: count });
      return true;
    },
  }),
  operatorCommand({
    name: 'stuck release',
    summary: 'Attempt the first message of a payment now',
    arguments: { 'ordering-key': ONE_OR_ALL },
    options: { ...limit(100, 'with all: how many payments at most'), ...CHANGES_STAGE },
    example: 'all --stage dev --yes',
    remarks: REMARKS,
    run: (given, world) => goOn('release', given, world),
  }),
  operatorCommand({
    name: 'stuck skip',
    summary: 'Give up the first message of a payment for good, and continue with the next one',
    arguments: { 'ordering-key': ONE },
    options: CHANGES_STAGE,
    example: 'sub_2cXj1x8.pay_1 --stage dev --yes',
    remarks: REMARKS,
    run: (given, world) => goOn('skip', { ...given, limit: 1 }, world),
  }),
];

async function reached(stage: ChosenDeployment, accessTo: World['access']) {
  const access = await accessTo(stage);
  const tables = await access.tables();
  return {
    access,
    keys: orderingKeyTable(access.dynamodb, tables),
    events: stuckEventTable(access.dynamodb, tables),
  };
}

interface Wanted {
  readonly 'ordering-key': string;
  readonly limit: number;
  readonly stage: ChosenDeployment;
  readonly yes: boolean;
}

/** Sends signals to release or skip, and watches what becomes of them. */
async function goOn(signalKind: 'release' | 'skip', given: Wanted, world: World): Promise<boolean> {
  const { print, progress } = world;
  const { access, keys, events } = await reached(given.stage, world.access);
  const name = given['ordering-key'];
  const payment =
    name === ALL || (await keys.key(name)) !== undefined ? undefined : await events.payment(name);
  if (payment !== undefined) {
    return goOnWithEvents(signalKind, payment, given, { access, table: events, print });
  }
  const wanted = await stuckKeys(keys, given);
  if (wanted.length === 0) {
    print(
      `No payment waits for you on ${given.stage}: there is nothing to release.`,
      given.yes ? { outcomes: [], untaken: [] } : { would_release: [] },
    );
    return true;
  }
  if (!given.yes) {
    const heads = await Promise.all(
      wanted.slice(0, 10).map(async ({ ordering_key }) => keys.waiting(ordering_key, 1)),
    );
    const what =
      signalKind === 'release'
        ? 'would be attempted now'
        : 'would be given up for good, and the next one attempted';
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
  const asked = {
    command: `stuck ${signalKind}`,
    arguments: { key: given['ordering-key'], limit: given.limit },
  };
  const { outcomes, untaken, refused } = await recorded(await access.operators(), asked, async () => {
    const result = await signalStuck(signalKind, wanted, keys, access, progress);
    return { result, ...auditOf(signalKind, wanted, result) };
  });
  const lines = outcomes.map(
    ({ key, after, givenUp }) => `${key}: ${outcomeText(after, signalKind, givenUp)}`,
  );
  if (untaken.size > 0) {
    lines.push(
      `The queue did not take ${untaken.size} signals: ${refused ?? 'it is throttled'}. Run the command again.`,
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
  return untaken.size === 0 && outcomes.every(({ after }) => goesOn(after));
}

async function stuckKeys(
  keys: OrderingKeyTable,
  { 'ordering-key': name, limit, stage }: Wanted,
): Promise<readonly StuckKey[]> {
  if (name === ALL) {
    const unreadable: string[] = [];
    const all = await keys.stuck(limit, ({ message }) => unreadable.push(message));
    if (all.length === 0 && unreadable.length > 0) {
      throw new ExplainedError(unreadable.join('\n'));
    }
    return all;
  }
  const key = await keys.key(name);
  if (key === undefined) {
    throw notBlocked(name, stage);
  }
  if (key.state !== 'stuck') {
    throw new ExplainedError(`${name} does not wait for you: ${stateText(key)}.`);
  }
  return [key];
}

function notBlocked(name: string, stage: ChosenDeployment): ExplainedError {
  return new ExplainedError(
    `${name} is not blocked on ${stage}: no message waits behind it. Is it a subscription and a payment of this stage?`,
  );
}
