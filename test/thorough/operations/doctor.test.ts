import { spawn } from 'node:child_process';
import path from 'node:path';
import {
  GetFunctionConfigurationCommand,
  InvokeCommand,
  LambdaClient,
  ListFunctionsCommand,
  UpdateFunctionConfigurationCommand,
} from '@aws-sdk/client-lambda';
import { doctorCommand } from '../../../cli/operator/doctor/doctor-command.ts';
import { examinedStage } from '../../../cli/operator/doctor/examined-stage.ts';
import { type ChosenDeployment, LOCAL } from '../../../cli/stage/chosen-deployment.ts';
import { clientConfig } from '../../../cli/stage/local-account.ts';
import { apiTokenTable } from '../../../functions/adapters/dynamodb/api/api-token-table.ts';
import { createToken } from '../../../functions/api/authorize/create-token.ts';
import { stack } from '../../support/deployed/shared-stack.ts';
import { eventually } from '../../support/eventually.ts';
import { ops } from '../../support/operator-run.ts';

const outputsFile = process.env.PAYHOOKS_TEST_OUTPUTS;

async function doctor(...args: string[]) {
  const find = (chosen: ChosenDeployment) => examinedStage(chosen, { outputsFile });
  const { isWell, printed } = await ops(['doctor', ...args, '--json'], {}, [doctorCommand({ find })]);
  return { isWell, text: printed, examination: JSON.parse(printed) };
}

/** Checks that no other test disturbs: others fill dead-letter queues on purpose. */
const UNDISTURBED = [
  ...['stacks', 'end-to-end', 'refusals', 'workers', 'rules', 'permissions', 'queue-policies'],
  ...['data-key', 'reserved-concurrency', 'log-retention', 'visibility', 'aliases'],
];

test('finds a new stage healthy, from its stacks to a receiver that was reached', async () => {
  const { isWell, examination } = await doctor('--only', UNDISTURBED.join(','));
  const others = examination.findings.filter(({ outcome }: { outcome: string }) => outcome !== 'ok');
  expect(others).toEqual([]);
  expect(isWell).toBe(true);
  expect(examination).toMatchObject({ ok: true, stage: 'local', accountId: '000000000000' });
});

test('leaves neither a valid token nor a subscription behind, and prints no secret', async () => {
  const { text, examination } = await doctor('--only', 'end-to-end');
  expect(examination.findings[0].details.join(' ')).toMatch(/accepted by the bus.*in the history/);
  expect(text).not.toMatch(/phk_|whsec_/);

  const tokens = apiTokenTable(stack.dynamodb, stack.outputs.tables.apiTokens);
  const left = (await tokens.ofService('doctor')).filter(({ revoked_at }) => revoked_at === undefined);
  expect(left).toEqual([]);
  const { token } = await createToken(tokens, { serviceId: 'doctor' });
  expect((await stack.request('GET', '/subscriptions', { token })).body).toEqual({ subscriptions: [] });
});

test('reports what waits and fails, and completes all checks', async () => {
  const { examination } = await doctor(
    '--only',
    'queues,dead-letters,sweep,circuits,deferred-records,stuck-payments',
  );
  const unchecked = examination.findings.filter(
    ({ outcome }: { outcome: string }) => outcome === 'could not be checked',
  );
  expect(unchecked).toEqual([]);
});

/** Runs the command as a person would. */
function command(args: readonly string[], env: Readonly<Record<string, string>>) {
  return new Promise<{ status: number | null; stdout: string; stderr: string }>((resolve) => {
    const root = path.resolve(import.meta.dirname, '../../..');
    const child = spawn(path.join(root, 'node_modules/.bin/node'), ['bin/cli.ts', 'ops', 'doctor', ...args], {
      cwd: root,
      env: { PATH: process.env.PATH ?? '', HOME: '/nonexistent', AWS_EC2_METADATA_DISABLED: 'true', ...env },
    });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (chunk) => {
      stdout += chunk;
    });
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    child.on('close', (status) => resolve({ status, stdout, stderr }));
  });
}

test.each([
  ['a name that no stage can have', ['--stage', 'a/b'], 'Must be the name of a deployment'],
  ['no credentials', ['--stage', 'dev'], 'no AWS credentials were found'],
])('with %s it cannot run at all', async (_, args, sentence) => {
  const { status, stdout, stderr } = await command(args, { AWS_REGION: 'eu-west-1' });
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toContain(sentence);
});

test('for a stage that is not deployed it says where it looked, and how to deploy', async () => {
  const { endpoint, accountId } = stack.outputs;
  const { status, stderr } = await command(['--stage', 'dev'], {
    AWS_ENDPOINT_URL: endpoint,
    AWS_REGION: 'eu-west-1',
    AWS_ACCESS_KEY_ID: accountId,
    AWS_SECRET_ACCESS_KEY: 'local',
  });
  expect(status).toBe(2);
  expect(stderr).toContain(
    `There is no deployment payhooks-dev in the account ${accountId} in eu-west-1; there `,
  );
  expect(stderr).toContain('npx cdk deploy --all -c stage=dev');
});

describe('the scheduled doctor', () => {
  let lambda: LambdaClient;

  beforeAll(() => {
    lambda = new LambdaClient(clientConfig(stack.outputs.endpoint));
  });
  afterAll(() => lambda?.destroy());

  async function functionName() {
    const { Functions = [] } = await lambda.send(new ListFunctionsCommand({ MaxItems: 50 }));
    return Functions.find(({ FunctionName: name = '' }) => /^payhooks-local-api-Doctor/.test(name))
      ?.FunctionName;
  }

  async function run() {
    const { FunctionError, Payload } = await lambda.send(
      new InvokeCommand({ FunctionName: await functionName() }),
    );
    expect(FunctionError).toBeUndefined();
    return JSON.parse(Buffer.from(Payload ?? []).toString());
  }

  /** As if the stack had been redeployed with another receiver. */
  async function deployedWith(callbackUrl: string) {
    const FunctionName = await functionName();
    const { Environment } = await lambda.send(new GetFunctionConfigurationCommand({ FunctionName }));
    await lambda.send(
      new UpdateFunctionConfigurationCommand({
        FunctionName,
        Environment: { Variables: { ...Environment?.Variables, SYNTHETIC_RECEIVER_URL: callbackUrl } },
      }),
    );
  }

  test('creates its subscription with its own permissions, reports an unreachable receiver, and follows one that has moved', async () => {
    // The URL from the stack leads to AWS: a receiver that does not answer.
    expect(await run()).toMatchObject({ hasArrived: false });

    const stage = await examinedStage(LOCAL, { outputsFile });
    await deployedWith(stage.output('api', 'SyntheticReceiverUrl'));
    const course = await eventually('a payment that arrives', async () => {
      const answer = await run();
      return answer.hasArrived && answer;
    });
    expect(course.steps.map(({ step }: { step: string }) => step)).toEqual([
      'accepted by the bus',
      'taken in by the queue',
      'attempted',
      'in the history',
    ]);
  });
});
