import { type Check, failed, ok, warning } from '../../../../../cli/operator/doctor/check.ts';
import { doctorCommand } from '../../../../../cli/operator/doctor/doctor-command.ts';
import type { ExaminedStage } from '../../../../../cli/operator/doctor/examined-stage.ts';
import type { ChosenDeployment } from '../../../../../cli/stage/chosen-deployment.ts';
import { STAGES } from '../../../../../payhooks.config.ts';
import { ops } from '../../../../support/operator-run.ts';
import { facts } from './examined.ts';

const well: Check = { name: 'stacks', run: async () => ok('7 stacks, all complete') };
const waits: Check = { name: 'queues', run: async () => warning('many wait', 'Have patience.') };
const broken: Check = { name: 'rules', run: async () => failed('one is off', 'Enable it.') };
const awsOnly: Check = { name: 'throttle', notEmulated: 'it does not throttle', run: broken.run };
const refused: Check = {
  name: 'alarms',
  run: () =>
    Promise.reject(
      Object.assign(
        new Error(
          'User: arn:aws:sts::111122223333:assumed-role/on-call/ada is not authorized to perform: cloudwatch:DescribeAlarms on resource: arn:aws:cloudwatch:eu-west-1:111122223333:alarm:* because no identity-based policy allows it',
        ),
        { name: 'AccessDenied' },
      ),
    ),
};

async function run(checks: readonly Check[], ...args: string[]) {
  const find = async ({ name }: ChosenDeployment) =>
    ({
      ...facts(STAGES[name as keyof typeof STAGES]),
      accountId: '111122223333',
      region: 'eu-west-1',
      caller: 'arn:aws:iam::111122223333:user/ada',
    }) as unknown as ExaminedStage;
  const { isWell, printed } = await ops(['doctor', ...args], {}, [doctorCommand({ checks, find })]);
  return { isWell, text: printed };
}

test('whoever has just deployed reads one line for each check, and that nothing failed', async () => {
  const { isWell, text } = await run([well, waits], '--stage', 'local');
  expect(isWell).toBe(true);
  expect(text).toContain('✓ ok         stacks  7 stacks, all complete');
  expect(text).toContain('! warning    queues  many wait');
  expect(text).toContain('What to do\n  queues: Have patience.');
  expect(text).toContain('1 ok, 1 warning');
});

test('what failed is told with what to do, and makes the command fail', async () => {
  const { isWell, text } = await run([well, broken]);
  expect(isWell).toBe(false);
  expect(text).toContain('✗ failed     rules   one is off');
  expect(text).toContain('  rules: Enable it.');
});

test('what AWS refuses is told with the action and the statement to add, and nobody takes it for well', async () => {
  const { isWell, text } = await run([refused], '--stage', 'prod');
  expect(isWell).toBe(false);
  expect(text).toContain(
    'arn:aws:sts::111122223333:assumed-role/on-call/ada may not cloudwatch:DescribeAlarms',
  );
  expect(text).toContain(
    'Add to the policies of the role on-call of the account 111122223333: {"Effect":"Allow","Action":"cloudwatch:DescribeAlarms","Resource":"arn:aws:cloudwatch:eu-west-1:111122223333:alarm:*"}',
  );
});

test('what the emulator cannot tell is no fault, and is asked on AWS', async () => {
  expect(await run([awsOnly], '--stage', 'local')).toMatchObject({ isWell: true });
  expect(await run([awsOnly], '--stage', 'dev')).toMatchObject({ isWell: false });
});

test('a check that breaks says so, and the others continue', async () => {
  const bug: Check = { name: 'sweep', run: () => Promise.reject(new TypeError('x is not a function')) };
  const { isWell, text } = await run([bug, well]);
  expect(isWell).toBe(false);
  expect(text).toContain('? unchecked  sweep   TypeError: x is not a function');
  expect(text).toContain('✓ ok         stacks');
});

test('on AWS it ends with what is left to people', async () => {
  const { text } = await run([well], '--stage', 'dev');
  expect(text).toContain(
    'By hand, on AWS (docs/aws-checklist.md)\n  item 1: The account has room for `prod`\n',
  );
});

test('programs get one JSON object', async () => {
  const { text } = await run([well, broken], '--json', '--stage', 'dev', '--only', 'stacks,rules');
  expect(JSON.parse(text)).toMatchObject({
    ok: false,
    stage: 'dev',
    accountId: '111122223333',
    findings: [
      { name: 'stacks', outcome: 'ok', seen: '7 stacks, all complete', todo: [] },
      { name: 'rules', outcome: 'failed', todo: ['Enable it.'] },
    ],
  });
});

test('--only runs nothing else', async () => {
  const { text } = await run([well, broken], '--only', 'stacks');
  expect(text).not.toContain('rules');
});
