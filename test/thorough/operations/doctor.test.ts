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
