import type { RecoveryView } from '../../../functions/core/message/recovery-view.ts';
import { ExplainedError } from '../../terminal/explained-error.ts';
import type { Command, Given, World } from '../command.ts';

const LOOK_EVERY_MS = 1_000;

export const recover: Command = {
  name: 'recover',
  takes: ['subscription'],
  summary: 'Send all messages once more that ended without success in a span of time',
  options: {
    since: { value: 'INSTANT', help: 'admitted from then on, 2026-11-14T10:00:00Z; needed' },
    until: { value: 'INSTANT', help: 'admitted before (default: now)' },
    'no-wait': { help: 'do not wait for its end' },
  },
  async run(given, world) {
    const since = given.text('since');
    if (since === undefined) {
      throw new ExplainedError('--since is needed: an instant such as 2026-11-14T10:00:00Z');
    }
    const until = given.text('until');
    const path = `/subscriptions/${given.named.subscription}/recoveries`;
    const body = { since, ...(until === undefined ? {} : { until }) };
    const started = (await world.api('POST', path, { body })) as RecoveryView;
    const recovery = given.flag('no-wait') ? started : await endOf(started, path, world);
    const { recovery_id, state, examined_count, resent_count } = recovery;
    const told = `${recovery_id} is ${state}: ${counted(examined_count, 'message')} looked at, ${resent_count} sent once more.`;
    world.print(`${told}\nWhat became of them: npm run webhooks -- ${whichMessages(given)}`, recovery);
    return recovery.state !== 'stopped';
  },
};

function whichMessages({ named, text }: Given): string {
  const until = text('until');
  return `messages ${named.subscription} --since ${text('since')}${until === undefined ? '' : ` --until ${until}`}`;
}

async function endOf(recovery: RecoveryView, path: string, world: World): Promise<RecoveryView> {
  let latest = recovery;
  while (latest.state === 'running') {
    world.progress(`${latest.recovery_id}: ${counted(latest.examined_count, 'message')} looked at`);
    await world.wait(LOOK_EVERY_MS);
    latest = (await world.api('GET', `${path}/${recovery.recovery_id}`)) as RecoveryView;
  }
  return latest;
}

function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}`;
}
