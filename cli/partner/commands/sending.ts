import { readFileSync } from 'node:fs';
import type { RecoveryPreview } from '../../../functions/core/message/recovery-preview.ts';
import type { RecoveryView } from '../../../functions/core/message/recovery-view.ts';
import { ExplainedError } from '../../terminal/explanation.ts';
import { printable } from '../../terminal/terminal.ts';
import { ID, partnerCommand, type World } from '../partner-command.ts';
import { FILTER, filterIn } from '../subscription-options.ts';

export const resend = partnerCommand({
  name: 'resend',
  arguments: { message: ID },
  summary: 'Send a message again, or try one now that is retried',
  example: 'msg_2cXj1x8',
  async run(given, { api, print }) {
    const resent = (await api('POST', `/messages/${given.message}/resend`)) as { state_before: string };
    print(`${given.message} was ${resent.state_before}; it will be sent again.`, resent);
    return true;
  },
});

export const cancel = partnerCommand({
  name: 'cancel',
  arguments: { message: ID },
  summary: 'Cancel a message that is retried or waits, so that later ones of its payment continue',
  example: 'msg_2cXj1x8',
  async run(given, { api, print }) {
    const cancelled = (await api('POST', `/messages/${given.message}/cancel`)) as { state_before: string };
    print(
      `${given.message} was ${cancelled.state_before}; it will be cancelled, unless an attempt under way delivers it.`,
      cancelled,
    );
    return true;
  },
});

const LOOK_EVERY_MS = 1_000;

export const recover = partnerCommand({
  name: 'recover',
  arguments: { subscription: ID },
  summary: 'Send messages of a period again: all that failed, or what you choose; --count only counts them',
  example: 'sub_2cXj1x8 --since 2026-11-14T10:00:00Z --state exhausted --count',
  options: {
    since: {
      value: 'INSTANT',
      required: true,
      help: 'admitted at or after this instant, such as 2026-11-14T10:00:00Z',
    },
    until: { value: 'INSTANT', help: 'admitted before this instant (default: now)' },
    state: {
      value: 'NAME',
      isList: true,
      help: 'only what is exhausted, cancelled, or was delivered (succeeded); may be repeated (default: the first two)',
    },
    'event-type': {
      value: 'TYPE',
      isList: true,
      help: 'only this event type, or the beginning of some and *; may be repeated',
    },
    payment: { value: 'ID', isList: true, help: 'only this payment; may be repeated' },
    payments: { value: 'FILE', help: 'only the payments in this file, an id on each line, at most 1,000' },
    ...FILTER,
    count: { help: 'only say how many it would send' },
    'no-wait': { help: 'do not wait until it has finished' },
  },
  async run(given, world) {
    const { since, until } = given;
    const path = `/subscriptions/${given.subscription}/recoveries`;
    const [states, event_types] = [given.state, given['event-type']];
    const payment_ids = paymentsIn(given);
    const body = {
      since,
      ...(until === undefined ? {} : { until }),
      ...(states === undefined ? {} : { states }),
      ...(event_types === undefined ? {} : { event_types }),
      ...(payment_ids === undefined ? {} : { payment_ids }),
      ...(given.filter === undefined ? {} : { filter: filterIn(given.filter) }),
    };
    if (given.count) {
      const { text, ...counted } = await countOf(body, path, world);
      world.print(text, counted);
      return true;
    }
    const started = (await world.api('POST', path, { body })) as RecoveryView;
    const recovery = given['no-wait'] ? started : await endOf(started, path, world);
    const { recovery_id, state, examined_count, resent_count } = recovery;
    const told = `${recovery_id} is ${state}: ${counted(examined_count, 'message')} examined, ${resent_count} sent again.`;
    world.print(
      `${told}\nWhat became of them: npm run webhooks -- ${whichMessages(given.subscription, since, until)}`,
      recovery,
    );
    return recovery.state !== 'stopped';
  },
});

export const stop = partnerCommand({
  name: 'stop',
  arguments: { subscription: ID, recovery: ID },
  summary: 'Stop a recovery that is running',
  example: 'sub_2cXj1x8 rec_Vd5tYb8',
  async run({ subscription, recovery }, { api, print }) {
    const path = `/subscriptions/${subscription}/recoveries/${recovery}/stop`;
    const ended = (await api('POST', path)) as RecoveryView;
    print(`${recovery} is ${ended.state}: ${ended.resent_count} sent again.`, ended);
    return true;
  },
});

/** @throws ExplainedError when the file cannot be read */
function paymentsIn({
  payment = [],
  payments,
}: {
  readonly payment?: readonly string[] | undefined;
  readonly payments?: string | undefined;
}): readonly string[] | undefined {
  if (payments === undefined) {
    return payment.length === 0 ? undefined : payment;
  }
  try {
    const lines = readFileSync(payments, 'utf8').split(/\r?\n/);
    return [...payment, ...lines.map((line) => line.trim()).filter((line) => line !== '')];
  } catch (error) {
    throw new ExplainedError(`--payments: ${payments} cannot be read (${(error as Error).message}).`);
  }
}

/** Request by request, each for some of the period. */
async function countOf(body: object, path: string, world: World) {
  const found = new Map<string, number>();
  let [examined_count, found_count] = [0, 0];
  for (let rest: object | undefined = body; rest !== undefined; ) {
    const some = (await world.api('POST', `${path}/preview`, { body: rest })) as RecoveryPreview;
    examined_count += some.examined_count;
    found_count += some.found_count;
    for (const { event_type, state, count } of some.found) {
      const kind = `${event_type}, ${state}`;
      found.set(kind, (found.get(kind) ?? 0) + count);
    }
    world.progress?.(`${counted(examined_count, 'message')} examined`);
    const { continue_since: since, until } = some;
    rest = since === undefined ? undefined : { ...body, since, until };
  }
  const kinds = [...found].sort(([, a], [, b]) => b - a);
  const text = [
    `It would send ${counted(found_count, 'message')} again, of ${examined_count} examined. Nothing has been sent.`,
    ...kinds.map(([kind, count]) => `  ${count} × ${printable(kind)}`),
  ].join('\n');
  return { text, examined_count, found_count, found: Object.fromEntries(kinds) };
}

function whichMessages(subscription: string, since: string, until: string | undefined): string {
  return `messages ${subscription} --since ${since}${until === undefined ? '' : ` --until ${until}`}`;
}

async function endOf(recovery: RecoveryView, path: string, world: World): Promise<RecoveryView> {
  let latest = recovery;
  while (latest.state === 'running') {
    world.progress?.(`${latest.recovery_id}: ${counted(latest.examined_count, 'message')} examined`);
    await world.wait(LOOK_EVERY_MS);
    latest = (await world.api('GET', `${path}/${recovery.recovery_id}`)) as RecoveryView;
  }
  return latest;
}

function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}`;
}
