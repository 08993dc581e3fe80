import { preflightCommand } from '../../../../../cli/operator/preflight/preflight-command.ts';
import { STAGES } from '../../../../../payhooks.config.ts';
import { ops } from '../../../../support/operator-run.ts';
import { planned } from './planned.ts';

async function run(account: Parameters<typeof planned>[0], ...args: string[]) {
  const find = async (name: keyof typeof STAGES) => planned({ settings: STAGES[name], ...account });
  const { isWell, printed } = await ops(['preflight', ...args], {}, [preflightCommand({ find })]);
  return { isWell, text: printed };
}

test('an account that has what prod takes is told so, a line for each thing', async () => {
  const { isWell, text } = await run({}, '--stage', 'prod');
  expect(isWell).toBe(true);
  expect(text).toContain('Payhooks, stage prod, account 111122223333 in eu-west-1');
  expect(text).toContain('7 ok');
});

test('what is missing makes it fail before a deployment can, and says how to ask for it', async () => {
  const { isWell, text } = await run({ quota: 10, isBootstrapped: false }, '--stage', 'prod');
  expect(isWell).toBe(false);
  expect(text).toContain('✗ failed');
  expect(text).toContain('account-room: Ask for more: aws service-quotas request-service-quota-increase');
  expect(text).toContain('bootstrap: npx cdk bootstrap aws://111122223333/eu-west-1');
});

test('how much is to be carried is asked of the region', async () => {
  expect(await run({ region: 'eu-west-2' }, '--events-per-second', '5000')).toMatchObject({ isWell: false });
  expect(await run({ region: 'eu-west-2' }, '--events-per-second', '50')).toMatchObject({ isWell: true });
});
