import { accountRoom } from '../../../../../cli/operator/doctor/functions/account-room.ts';
import { ACTIONS_BY_TYPE } from '../../../../../cli/operator/preflight/actions-by-type.ts';
import { bootstrap, halfDeployed } from '../../../../../cli/operator/preflight/deployed-so-far.ts';
import { deploymentRights, neededActions } from '../../../../../cli/operator/preflight/deployment-rights.ts';
import { expectedTypes } from '../../../../../cli/operator/preflight/expected-stage.ts';
import { preflightCommand, regionServices } from '../../../../../cli/operator/preflight/preflight-command.ts';
import { busThroughput, fifoThroughput } from '../../../../../cli/operator/preflight/throughput.ts';
import type { Stage } from '../../../../../lib/app/stage.ts';
import { STAGES } from '../../../../../payhooks.config.ts';
import { ops } from '../../../../support/operator-run.ts';
import { planned } from './planned.ts';

describe('the quota of Lambda', () => {
  test('of most accounts is enough for what prod reserves', async () => {
    expect(await accountRoom.run(planned())).toMatchObject({
      outcome: 'ok',
      seen: '1000 at a time, 1000 of them not reserved; the workers want 721',
    });
  });

  test('must hold what provisioned pollers may, too', async () => {
    const settings = { ...STAGES.prod, pollers: { eventsPerSecond: 1_000, webhooksPerSecond: 1_000 } };
    expect(await accountRoom.run(planned({ settings }))).toMatchObject({
      seen: '1000 at a time, 1000 of them not reserved; the workers want 816',
    });
  });

  test('of a new account fails prod, and the command that asks for more is told', async () => {
    expect(await accountRoom.run(planned({ quota: 10 }))).toMatchObject({
      outcome: 'failed',
      todo: [
        'Ask for more: aws service-quotas request-service-quota-increase --service-code lambda --quota-code L-B99A9384 --desired-value 1000 --region eu-west-1',
        expect.stringContaining('reserved: false for prod'),
      ],
    });
  });

  test('leaves dev, which reserves nothing, to run slowly', async () => {
    expect(await accountRoom.run(planned({ quota: 10, settings: STAGES.dev }))).toMatchObject({
      outcome: 'warning',
      seen: '10 at a time, 10 of them not reserved; the workers want 143',
    });
  });

  test('counts what others have reserved before the first deployment, and not what is its own afterwards', async () => {
    const taken = { quota: 1_000, unreserved: 327 };
    expect(await accountRoom.run(planned(taken))).toMatchObject({
      outcome: 'failed',
      todo: [expect.stringContaining('--desired-value 1500 '), expect.anything()],
    });
    const there = { ...taken, stacks: { 'payhooks-prod-pipeline': 'UPDATE_COMPLETE' } };
    expect(await accountRoom.run(planned(there))).toMatchObject({ outcome: 'ok' });
  });
});

describe('the throughput of FIFO queues', () => {
  test.each([
    ['us-east-1', 1_000, 'ok'],
    ['eu-west-2', 1_000, 'ok'],
    ['eu-west-2', 3_000, 'warning'],
    ['eu-west-2', 5_000, 'failed'],
    ['mx-central-1', 1_000, 'ok'],
    ['mx-central-1', 2_500, 'failed'],
  ])('of %s, for %d events a second: %s', async (region, eventsPerSecond, outcome) => {
    const finding = await fifoThroughput.run(planned({ region, eventsPerSecond }));
    expect(finding.outcome).toBe(outcome);
    expect(finding.seen).toContain(`in ${region} takes `);
    expect(finding.todo.join()).toMatch(outcome === 'ok' ? /^$/ : /^Ask for more: /);
  });
});

describe('the quotas of EventBridge', () => {
  test.each([
    ['eu-west-1', 1_000, 'ok', []],
    ['eu-central-1', 1_000, 'ok', []],
    ['eu-west-2', 1_000, 'warning', ['L-9B653E91']],
    ['eu-west-2', 2_000, 'failed', ['L-9B653E91', 'L-5540C5E3']],
    ['eu-north-1', 700, 'failed', ['L-9B653E91', 'L-5540C5E3']],
    ['il-central-1', 300, 'warning', ['L-9B653E91']],
  ] as const)('in %s, for %d events a second: %s', async (region, eventsPerSecond, outcome, codes) => {
    const { outcome: found, todo } = await busThroughput.run(planned({ region, eventsPerSecond }));
    expect(found).toBe(outcome);
    const asked = todo.flatMap((what) => /request.*--quota-code (\S+)/.exec(what)?.[1] ?? []);
    expect(asked).toEqual(codes);
  });
});

test('every type of resource that a stage can have was looked up for what it takes to make one', () => {
  const everything: Stage = {
    ...STAGES.dev,
    ...(STAGES.prod.archive === undefined ? {} : { archive: STAGES.prod.archive }),
    rollout: 'canary',
    alarms: { urgent: 'on-call@example.org' },
    silence: 'unusual',
    ownKeysEverywhere: true,
    queuePublishers: 'account',
    pollers: { eventsPerSecond: 100, webhooksPerSecond: 100 },
    fixedAddresses: { natGateways: 2 },
  };
  const types = expectedTypes(everything).map((type) => type.replace('AWS::', ''));
  expect(types).toEqual(
    expect.arrayContaining(['CodeDeploy::DeploymentGroup', 'Lambda::Url', 'EC2::VPC', 'SNS::Subscription']),
  );
  expect(types.filter((type) => ACTIONS_BY_TYPE[type] === undefined)).toEqual([]);
  expect(neededActions(STAGES.prod)).toEqual(
    expect.arrayContaining([
      ...['apigateway:POST', 'athena:CreateWorkGroup', 'codedeploy:CreateApplication', 'glue:CreateTable'],
      ...['lambda:AddPermission', 'lambda:PutFunctionRecursionConfig', 'logs:CreateLogDelivery'],
      ...['iam:PassRole', 'kms:CreateKey', 's3:CreateBucket', 'sns:CreateTopic'],
    ]),
  );
  expect(neededActions(STAGES.prod)).not.toContain('lambda:CreateFunctionUrlConfig');
});

describe('the role that CloudFormation deploys with', () => {
  test('may make keys and what hangs on them', async () => {
    expect(await deploymentRights.run(planned())).toMatchObject({ outcome: 'ok' });
  });

  test.each([
    [false, 'npx cdk bootstrap --cloudformation-execution-policies'],
    [true, 'A policy of the organisation (SCP) forbids it'],
  ])('that may make none is told with who says so: the organisation %s', async (byOrganisation, todo) => {
    const denied = { 'kms:CreateKey': { byOrganisation } };
    expect(await deploymentRights.run(planned({ denied }))).toMatchObject({
      outcome: 'failed',
      seen: 'kms:CreateKey is implicitDeny',
      todo: [expect.stringContaining(todo)],
    });
  });

  test('is not there before the CDK has been bootstrapped, for which there is a command', async () => {
    expect(await bootstrap.run(planned({ isBootstrapped: false }))).toMatchObject({
      outcome: 'failed',
      todo: ['npx cdk bootstrap aws://111122223333/eu-west-1'],
    });
    expect(await deploymentRights.run(planned({ isBootstrapped: false }))).toMatchObject({
      outcome: 'failed',
    });
    expect(await bootstrap.run(planned())).toMatchObject({ outcome: 'ok' });
  });
});

describe('the services of the region', () => {
  test('are asked for by the types of resources that the stage is made of', async () => {
    const types = expectedTypes(STAGES.prod);
    for (const type of [
      'AWS::SQS::Queue',
      'AWS::KMS::Key',
      'AWS::Scheduler::Schedule',
      'AWS::CodeDeploy::DeploymentGroup',
      'AWS::Athena::WorkGroup',
    ]) {
      expect(types).toContain(type);
    }
    expect(await regionServices.run(planned())).toMatchObject({
      outcome: 'ok',
      seen: `eu-west-1 has all ${types.length} types of resources`,
    });
  });

  test('that are missing are told by name', async () => {
    const unknownTypes = ['AWS::Scheduler::Schedule', 'AWS::Athena::WorkGroup', 'AWS::Nothing::OfOurs'];
    expect(await regionServices.run(planned({ unknownTypes }))).toMatchObject({
      outcome: 'failed',
      seen: 'eu-west-1 has no AWS::Athena::WorkGroup; eu-west-1 has no AWS::Scheduler::Schedule',
    });
  });
});

describe('what is there of the stage', () => {
  test('may be nothing, or all of it', async () => {
    expect(await halfDeployed.run(planned({ stacks: { 'payhooks-prod-data': undefined } }))).toMatchObject({
      outcome: 'ok',
      seen: 'nothing of the stage is there yet',
    });
    expect(
      await halfDeployed.run(planned({ stacks: { 'payhooks-prod-data': 'UPDATE_COMPLETE' } })),
    ).toMatchObject({ outcome: 'ok', seen: '1 of 1 stacks are there, all complete' });
  });

  test('is told when a deployment has left it half-way, with the tables that it leaves behind on prod', async () => {
    const stacks = { 'payhooks-prod-data': 'ROLLBACK_COMPLETE', 'payhooks-prod-pipeline': undefined };
    const finding = await halfDeployed.run(planned({ stacks }));
    expect(finding).toMatchObject({ outcome: 'failed', seen: 'payhooks-prod-data is ROLLBACK_COMPLETE' });
    const about = '--stack-name payhooks-prod-data';
    expect(finding.todo).toEqual([
      `payhooks-prod-data: ${[
        `fix what its events name (aws cloudformation describe-stack-events ${about})`,
        // While the stack is protected, its deletion fails.
        `aws cloudformation update-termination-protection --no-enable-termination-protection ${about}`,
        `aws cloudformation delete-stack ${about}`,
        `aws cloudformation wait stack-delete-complete ${about}`,
        'deploy it again',
      ].join('; then ')}.`,
      expect.stringContaining('Key=stage,Values=prod'),
    ]);
    const dev = await halfDeployed.run(planned({ stacks, settings: STAGES.dev }));
    expect(dev.todo.join()).toContain('delete-stack');
    expect(dev.todo.join()).not.toMatch(/termination-protection|stay behind/);
  });

  test('is left alone while a deployment is under way', async () => {
    const stacks = { 'payhooks-prod-data': 'UPDATE_IN_PROGRESS' };
    expect(await halfDeployed.run(planned({ stacks }))).toMatchObject({
      outcome: 'failed',
      todo: ['A deployment is under way: wait until it has ended.'],
    });
  });
});

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
