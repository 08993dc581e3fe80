import { stuckCommand } from '../../../../cli/operator/blocked/blocked-command.ts';
import { circuitsCommand } from '../../../../cli/operator/circuits/circuits-command.ts';
import { personalDataCommand } from '../../../../cli/operator/personal-data/personal-data-command.ts';
import { redriveCommand } from '../../../../cli/operator/redrive/redrive-command.ts';
import { restoreCommand } from '../../../../cli/operator/restore/restore-command.ts';
import type { Surroundings } from '../../../../cli/terminal/surroundings.ts';

type Command = (args: string[], surroundings: Surroundings) => Promise<boolean>;

/** Runs a command that must not come as far as a stage. */
async function run(command: Command, ...args: string[]): Promise<string> {
  let printed = '';
  await command(args, {
    access: () => Promise.reject(new Error('it has asked for a stage')),
    print: (text) => {
      printed += text;
    },
  });
  return printed;
}

test.each([
  ['redrive', redriveCommand, 'npm run redrive -- <queue> [options]'],
  ['circuits', circuitsCommand, 'npm run circuits -- open <service> <subscription> [options]'],
  ['restore', restoreCommand, 'npm run restore -- <table> --from <restored table> [options]'],
  ['keys', stuckCommand, 'npm run keys -- release <key> [options]'],
  ['personal-data', personalDataCommand, 'npm run personal-data -- erase <service> <payment> [options]'],
])('%s explains itself', async (_, command, line) => {
  expect(await run(command, '--help')).toContain(line);
});

test.each([
  [['nothing'], '<queue>: there is none of that name; there is rule, events, deliveries, retry-timers'],
  [[], 'needs <queue>; --help tells the rest'],
  [['events', '--limit', '0'], '--limit: must be a whole number from 1 to 20000'],
  [['events', '--stage', 'live'], '--stage: there is none of that name; there is local, dev, prod'],
  [['events', '--stage', 'prod', '--yes'], '--stage prod --yes --confirm prod'],
  [['events', '--stage', 'prod', '--yes', '--confirm', 'dev'], '--stage prod --yes --confirm prod'],
])('redrive %j is refused with what is wrong', async (args, sentence) => {
  await expect(run(redriveCommand, ...args)).rejects.toThrow(sentence);
});

test.each([
  [['destroy', 'sub_1.pay'], '<command>: must be one of list, show, release, skip'],
  [['show'], 'needs <command> <key>; --help tells the rest'],
  [['show', 'pay-1'], '<key>: must be a subscription and a payment, joined by a dot: sub_….pay_…'],
  [['skip', 'all', '--yes'], '<key>: skip takes one key; keys -- list shows which there are'],
  [['release', 'sub_1.pay', '--stage', 'prod', '--yes'], '--stage prod --yes --confirm prod'],
])('keys %j is refused with what is wrong', async (args, sentence) => {
  await expect(run(stuckCommand, ...args)).rejects.toThrow(sentence);
});

test.each([
  [['show', 'bakery', 'pay-1'], '<command>: must be export or erase'],
  [['erase', 'bakery'], 'needs <command> <service> <payment>; --help tells the rest'],
  [['erase', 'bak/ery', 'pay-1'], '<service>: must be 1 to 64 of A-Z a-z 0-9 _ -'],
  [['erase', 'bakery', 'pay 1'], '<payment>: must be 1 to 64 of A-Z a-z 0-9 _ -'],
  [['export', 'bakery', 'pay-1', '--yes'], '--yes, --ended-only: export changes nothing'],
  [['erase', 'bakery', 'pay-1', '--out', 'it'], '--out: erase writes no file'],
  [['erase', 'bakery', 'pay-1', '--stage', 'prod', '--yes'], '--stage prod --yes --confirm prod'],
])('personal-data %j is refused with what is wrong', async (args, sentence) => {
  await expect(run(personalDataCommand, ...args)).rejects.toThrow(sentence);
});

test.each([
  ['looking at prod', ['events', '--stage', 'prod']],
  ['prod, its name typed once more', ['events', '--stage', 'prod', '--yes', '--confirm', 'prod']],
  ['the name of an alarm', ['retry-timers-dead-letters', '--stage', 'dev', '--yes']],
])('redrive goes on with %s', async (_, args) => {
  await expect(run(redriveCommand, ...args)).rejects.toThrow('it has asked for a stage');
});

test.each([
  [['burn', 'bakery', 'sub_1'], '<command>: must be one of list, show, open, close, drain'],
  [['open', 'bakery'], 'needs <command> <service> <subscription>; --help tells the rest'],
  [['open', 'bakery', 'pay_1'], '<subscription>: must be the id of a subscription: sub_…'],
  [['show', 'bakery', 'sub_1', '--yes'], '--yes: show changes nothing; it is for open, close, drain'],
  [['open', 'bakery', 'sub_1', '--stage', 'prod', '--yes'], '--stage prod --yes --confirm prod'],
])('circuits %j is refused with what is wrong', async (args, sentence) => {
  await expect(run(circuitsCommand, ...args)).rejects.toThrow(sentence);
});

test('dead letters of prod are not even given other groups unless its name is typed once more', async () => {
  const order = ['deliveries', '--unfold', '--stage', 'prod'];
  await expect(run(redriveCommand, ...order)).rejects.toThrow('Add --confirm prod');
  await expect(run(redriveCommand, ...order, '--confirm', 'prod')).rejects.toThrow(
    'it has asked for a stage',
  );
});

test.each([
  [['idempotency', '--from', 'old'], '<table>: must be one of subscriptions, signing-secrets, history, keys'],
  [['keys'], '--from: must be said: the name of the restored table'],
  [['keys', '--from', 'old table'], '--from: must be the name of a table'],
  [['keys', '--from', 'old', '--continue', 'there'], '--continue: is not a place that an earlier run told'],
  [['keys', '--from', 'old', '--stage', 'prod', '--yes'], '--stage prod --yes --confirm prod'],
])('restore %j is refused with what is wrong', async (args, sentence) => {
  await expect(run(restoreCommand, ...args)).rejects.toThrow(sentence);
});
