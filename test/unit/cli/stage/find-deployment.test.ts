import { ChosenDeployment, chosenDeployment } from '../../../../cli/stage/chosen-deployment.ts';
import { findDeployment } from '../../../../cli/stage/find-deployment.ts';
import { optionFor, recordName } from '../../../../lib/recorded-deployment.ts';
import { parameterStore, settingsParameter } from '../../../support/recorded-parameters.ts';

const PART = JSON.stringify({
  prefix: 'HooksApi',
  values: { ApiUrl: 'https://hooks.example/' },
  functions: { Api: { name: 'shop-Api', role: 'shop-ApiRole' } },
});

/** An account with a stage in stacks of its own, and two deployments that share stacks with other things. */
const PARAMETERS = {
  ...settingsParameter('payhooks-dev', {
    data: { stack: 'payhooks-dev-data', path: 'Data' },
    api: { stack: 'payhooks-dev-api', path: 'Api' },
  }),
  ...settingsParameter('orders', {
    data: { stack: 'Shop', path: 'Shop' },
    api: { stack: 'Shop', path: 'Shop' },
  }),
  ...settingsParameter('refunds', { data: { stack: 'Shop', path: 'Shop' } }),
  ...settingsParameter('lonely', { data: { stack: 'Backend', path: 'Prod/Backend' } }),
  [recordName('orders', 'api')]: PART,
  [recordName('broken', 'settings')]: '{}',
  '/payhooks-of-somebody/settings': 'else',
};

const stage = (name: string) => new ChosenDeployment('stage', name);
const stack = (name: string) => new ChosenDeployment('stack', name);

function find(chosen: ChosenDeployment, ssm = parameterStore(PARAMETERS)) {
  return findDeployment(ssm, chosen, async () => 'the account 111122223333 in eu-west-1');
}

test.each([
  [stage('dev'), 'payhooks-dev'],
  [stack('payhooks-dev'), 'payhooks-dev'],
  [stack('orders'), 'orders'],
  [stack('payhooks-dev-api'), 'payhooks-dev'],
  [stack('Backend'), 'lonely'],
])('%s is found as %s', async (chosen, name) => {
  expect(await find(chosen)).toMatchObject({ name, settings: { keepsData: true, shards: 64 } });
});

test('whoever may read one record alone finds it by the name of its deployment', async () => {
  const ssm = parameterStore(PARAMETERS, { mayList: false });
  expect((await find(stack('orders'), ssm)).name).toBe('orders');
  expect(ssm.asked).toEqual(['/payhooks/orders/settings']);
  await expect(find(stack('Shop'), ssm)).rejects.toThrow(
    'your role may not list the others (ssm:GetParametersByPath on /payhooks). Name the deployment itself',
  );
});

test('a stack that holds several deployments is ambiguous, and each is named with how to choose it', async () => {
  await expect(find(stack('Shop'))).rejects.toThrow(
    'The stack Shop holds several deployments: orders (--stack orders), refunds (--stack refunds). Name one of them.',
  );
});

test('one that is not there is told with those that are, and the account and region', async () => {
  await expect(find(stage('staging'))).rejects.toThrow(
    /^There is no deployment payhooks-staging in the account 111122223333 in eu-west-1; there are payhooks-dev \(--stage dev\), orders \(--stack orders\), refunds \(--stack refunds\), lonely \(--stack lonely\)\./,
  );
  await expect(find(stack('nothing'), parameterStore({}))).rejects.toThrow(
    'There is no deployment or stack called nothing in the account 111122223333 in eu-west-1; there is no other either.',
  );
});

test('a stage is not looked for among the stacks of others', async () => {
  await expect(find(stage('Shop'))).rejects.toThrow('There is no deployment payhooks-Shop');
});

test('a record of another version is told as such', async () => {
  await expect(find(stack('broken'))).rejects.toThrow('it was deployed with another version');
});

test('what a part consists of is read once, when somebody asks', async () => {
  const ssm = parameterStore(PARAMETERS);
  const orders = await find(stack('orders'), ssm);
  expect(await orders.value('api', 'ApiUrl')).toBe('https://hooks.example/');
  expect((await orders.part('api')).functions.Api).toEqual({ name: 'shop-Api', role: 'shop-ApiRole' });
  expect(ssm.asked).toEqual(['/payhooks/orders/settings', '/payhooks/orders/api']);
  await expect(orders.value('api', 'DocsUrl')).rejects.toThrow(
    'orders has recorded no DocsUrl of its part api',
  );
  await expect(orders.value('data', 'AuditTableName')).rejects.toThrow(
    'The part data of orders is not deployed: npm run ops -- doctor --stack orders --only stacks',
  );
});

test.each([
  [{}, {}, '--stage local'],
  [{}, { PAYHOOKS_STACK: '' }, '--stage local'],
  [{}, { PAYHOOKS_STACK: 'orders' }, '--stack orders'],
  [{ stage: 'dev' }, { PAYHOOKS_STACK: 'orders' }, '--stage dev'],
  [{ stack: 'Shop' }, { PAYHOOKS_STACK: 'orders' }, '--stack Shop'],
])('%j in %j chooses %s', (typed, env, option) => {
  expect(chosenDeployment(typed, env).option).toBe(option);
});

test('two names are one too many', () => {
  expect(() => chosenDeployment({ stage: 'dev', stack: 'orders' }, {})).toThrow(
    '--stage dev and --stack orders name two deployments: give one. --stage NAME is short for --stack payhooks-NAME.',
  );
});

test('commands that are printed choose a stage by its short name, and any other by its own', () => {
  expect(['payhooks-dev', 'orders', 'payhooks-'].map(optionFor)).toEqual([
    '--stage dev',
    '--stack orders',
    '--stack payhooks-',
  ]);
});
