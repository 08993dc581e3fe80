import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { endToEnd } from '../../../../../cli/operator/doctor/end-to-end.ts';
import {
  type Account,
  type ExaminedStage,
  examinedDeployment,
} from '../../../../../cli/operator/doctor/examined-stage.ts';
import { logRetention } from '../../../../../cli/operator/doctor/functions/function-settings.ts';
import { visibility } from '../../../../../cli/operator/doctor/queues/queue-settings.ts';
import { revertDrift } from '../../../../../cli/operator/doctor/revert-drift.ts';
import { stacks } from '../../../../../cli/operator/doctor/stacks/stacks.ts';
import { ChosenDeployment } from '../../../../../cli/stage/chosen-deployment.ts';
import { findDeployment } from '../../../../../cli/stage/find-deployment.ts';
import { type Part, recordName } from '../../../../../lib/recorded-deployment.ts';
import { parameterStore, settingsParameter } from '../../../../support/recorded-parameters.ts';

const PARTS: readonly Part[] = ['data', 'pipeline', 'api', 'observability', 'people'];
const SHOP = { stack: 'Shop', path: 'Prod/Shop' };

const worker = (id: string) => [id, { name: `Shop-${id}`, role: `Shop-${id}Role` }];
const recordOf = (part: Part) =>
  JSON.stringify({
    prefix: `Orders${part}`,
    values: Object.fromEntries(
      ['EventsQueueUrl', 'DeliveriesQueueUrl', 'RetryTimersUrl'].map((queue) => [
        queue,
        `https://sqs/${queue}`,
      ]),
    ),
    functions: Object.fromEntries(['Match', 'Deliver', 'Wake'].map(worker)),
  });

/** All parts of a deployment in one stack, which holds resources of somebody else too. */
async function sharedStack(
  status: string | undefined,
  parts: readonly Part[] = PARTS,
): Promise<ExaminedStage> {
  const cloudFormation = Object.assign(Object.create(CloudFormationClient.prototype), {
    send: async ({ input }: { input: { StackName: string } }) => {
      if (status === undefined) {
        throw new Error(`Stack with id ${input.StackName} does not exist`);
      }
      const logGroup = (LogicalResourceId: string) => ({
        ...{ ResourceType: 'AWS::Logs::LogGroup', LogicalResourceId, PhysicalResourceId: LogicalResourceId },
      });
      return {
        Stacks: [{ StackName: input.StackName, StackStatus: status }],
        StackResourceSummaries: ['OrderspipelineDeliverLogs12AB', 'OrdersapiApiLogs34CD', 'CartLogs56EF'].map(
          logGroup,
        ),
      };
    },
  });
  const logs = {
    send: async ({ input }: { input: { logGroupNamePrefix: string } }) => ({
      logGroups: [{ logGroupName: input.logGroupNamePrefix, retentionInDays: 180 }],
    }),
  };
  const lambda = { send: async () => ({ Timeout: 60 }) };
  const sqs = { send: async () => ({ Attributes: { VisibilityTimeout: '359' } }) };
  const account = {
    accountId: '111122223333',
    region: 'eu-west-1',
    caller: 'arn:aws:iam::111122223333:user/ada',
    clients: { cloudFormation, logs, lambda, sqs },
  } as unknown as Account;
  const ssm = parameterStore({
    ...settingsParameter('orders', Object.fromEntries(PARTS.map((part) => [part, SHOP]))),
    ...Object.fromEntries(parts.map((part) => [recordName('orders', part), recordOf(part)])),
  });
  const found = await findDeployment(ssm, new ChosenDeployment('stack', 'Shop'), async () => 'there');
  return examinedDeployment(account, found);
}

test('a deployment whose parts share a stack is one stack to the doctor', async () => {
  const stage = await sharedStack('UPDATE_COMPLETE');
  expect(await stacks.run(stage)).toMatchObject({ outcome: 'ok', seen: '1 stacks, all complete' });
  expect(stage.stacks).toEqual([{ stackName: 'Shop', parts: PARTS, status: 'UPDATE_COMPLETE' }]);
});

test('what somebody else has in that stack is not examined', async () => {
  const stage = await sharedStack('UPDATE_COMPLETE');
  expect(await stage.named('pipeline', 'Logs::LogGroup')).toEqual(['OrderspipelineDeliverLogs12AB']);
  expect(await logRetention.run(stage)).toMatchObject({
    outcome: 'ok',
    seen: '2 log groups keep 180 days',
  });
});

test('it is put back by deploying its stack, and looked at by its own name', async () => {
  const stage = await sharedStack('UPDATE_COMPLETE');
  expect(stage.option).toBe('--stack orders');
  expect(revertDrift(stage, 'pipeline', 'api')).toMatch(
    /^npx cdk deploy Prod\/Shop --exclusively --revert-drift, with the deployed version/,
  );
  expect(await visibility.run(stage)).toMatchObject({
    outcome: 'failed',
    seen: expect.stringContaining('Events hides a record for 359 s, and Match may take 60 s'),
    todo: [expect.stringContaining('npx cdk deploy Prod/Shop --exclusively')],
  });
});

test('a part that was never deployed leaves the rest to be examined', async () => {
  const stage = await sharedStack(undefined, ['data']);
  expect(await stacks.run(stage)).toMatchObject({
    outcome: 'failed',
    seen: 'Shop is missing',
    todo: ['Deploy what is missing: npx cdk deploy Prod/Shop'],
  });
  await expect(endToEnd.run(stage)).rejects.toThrow(
    /orders has recorded no ApiTokensTableName of its part data/,
  );
  expect(() => stage.output('api', 'ApiUrl')).toThrow(
    'the part api of orders is not there: see the check stacks',
  );
});
