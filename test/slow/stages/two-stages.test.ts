import { Template } from 'aws-cdk-lib/assertions';
import { addPayhooks } from '../../../lib/app/add-payhooks.ts';
import type { Stage } from '../../../lib/app/stage.ts';
import { stageNamed } from '../../../lib/app/stage-named.ts';
import { testStage } from '../../../lib/app/test-stages.ts';
import { STAGES } from '../../../payhooks.config.ts';
import { testApp } from '../../support/templates/synthesized.ts';

/** Names that are unique within their function, role, API or workgroup only, or belong to somebody else. */
const INNER_NAMES = new Set([
  'AWS::Athena::NamedQuery Name',
  'AWS::IAM::Policy PolicyName',
  'AWS::Lambda::Alias Name',
  'AWS::Lambda::EventSourceMapping FunctionName',
  'AWS::ApiGatewayV2::Authorizer Name',
  'AWS::ApiGatewayV2::Stage StageName',
  'AWS::CloudWatch::Alarm MetricName',
  'AWS::CodeDeploy::DeploymentGroup DeploymentConfigName',
]);

interface Resource {
  readonly Type: string;
  readonly Properties?: Record<string, unknown>;
}

/** The names that a stage's templates choose in its account and region, rather than CloudFormation. */
function namesOf(stage: Stage): string[] {
  return Object.values(addPayhooks(testApp(), stage)).flatMap((stack) => {
    const { Resources = {} } = Template.fromStack(stack).toJSON();
    const given = Object.values<Resource>(Resources).flatMap(({ Type, Properties = {} }) =>
      Object.entries(Properties)
        .filter(([property, value]) => /Name$/.test(property) && isGiven(value))
        .filter(([property]) => !INNER_NAMES.has(`${Type} ${property}`))
        .map(([property, value]) => `${Type} ${property} ${JSON.stringify(value)}`),
    );
    return [stack.stackName, ...given];
  });
}

/** Whether a name is chosen, not just a reference to another resource. */
function isGiven(value: unknown): boolean {
  return typeof value === 'string' || (JSON.stringify(value) ?? '').includes('Fn::Join');
}

test.each(['local', 'dev', 'prod'] as const)(
  'a second stage like %s in the same account and region shares no name with the first',
  (name) => {
    const first = namesOf(STAGES[name]);
    const second = new Set(namesOf({ ...STAGES[name], name: 'second' }));
    expect(first.length).toBeGreaterThan(20);
    expect(first.filter((one) => second.has(one))).toEqual([]);
  },
);

test('the second stage is for a test and is not offered to anybody', () => {
  expect(testStage('second', undefined)).toMatchObject({
    name: 'second',
    callbackUrls: { mustBeProven: true },
  });
  expect(testStage('local', undefined)).toBeUndefined();
  expect(() => stageNamed('second')).toThrow('with one of local, dev, prod (payhooks.config.ts)');
});
