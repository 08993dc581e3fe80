import type { Template } from 'aws-cdk-lib/assertions';
import type { Stage } from '../../../lib/app/stage.ts';
import { STAGES } from '../../../payhooks.config.ts';
import { shopWith, synthesized } from '../../support/templates/synthesized.ts';

/** What Lambda takes of all variables of a function, as JSON: its error prints the "String measured". */
const LAMBDA_TAKES_BYTES = 4_096;
/** The rest is for what a stage adds by itself, such as longer retry schedules. */
const OURS_BYTES = 2_048;

const account = '123456789012';
/** No region's name is longer. */
const region = 'ap-southeast-2';
/** With the longest name, every function, and every option that adds a variable. */
const stage: Stage = {
  ...STAGES.prod,
  name: 'x'.repeat(20),
  env: { account, region },
  fixedAddresses: { natGateways: 2 },
  queuePublishers: 'account',
  ownKeysEverywhere: true,
  loadLab: true,
  notices: { sender: `${'x'.repeat(60)} <${'x'.repeat(64)}@${'x'.repeat(60)}.example>` },
};

const templates = Object.entries(synthesized(stage));
/** In somebody's own app: a stack with the longest name, and an id above which logical ids grow no more. */
const ownStack = 's'.repeat(128);
const own = shopWith({}, { stackName: ownStack, id: 'W'.repeat(200) }).template();
const stacks = new Map([
  ...templates.map(([part, template]) => [`payhooks-${stage.name}-${part}`, template.toJSON()] as const),
  [ownStack, own.toJSON()],
]);
const functions = templates.flatMap(([part, template]) =>
  variablesOf(template).map(({ name, variables }) => ({ part, name, variables })),
);

function variablesOf(template: Template) {
  return Object.values(template.findResources('AWS::Lambda::Function')).map(({ Properties }) => ({
    name: Properties.Environment.Variables.POWERTOOLS_SERVICE_NAME as string,
    variables: Properties.Environment.Variables as Record<string, unknown>,
  }));
}

const PSEUDO: Record<string, (stackName: string) => string> = {
  'AWS::Region': () => region,
  'AWS::URLSuffix': () => 'amazonaws.com',
  'AWS::AccountId': () => account,
  'AWS::Partition': () => 'aws',
  'AWS::StackName': (stackName) => stackName,
  'AWS::StackId': (stackName) =>
    `arn:aws:cloudformation:${region}:${account}:stack/${stackName}/${'x'.repeat(36)}`,
};

/** A value as CloudFormation fills it in, with the longest names that it makes. */
function filledIn(value: unknown, stackName: string): string {
  if (typeof value !== 'object' || value === null) {
    return String(value);
  }
  const [[kind, of] = ['', undefined]] = Object.entries(value);
  switch (kind) {
    case 'Fn::Join':
      return (of as [string, unknown[]])[1].map((part) => filledIn(part, stackName)).join('');
    case 'Fn::GetStackOutput':
      return filledIn(stacks.get(of.StackName)?.Outputs[of.OutputName].Value, of.StackName);
    case 'Fn::Select':
      // Only of what is split.
      return filledIn(of[1]['Fn::Split'][1], stackName).split(of[1]['Fn::Split'][0])[of[0]] as string;
    case 'Ref':
      return PSEUDO[of]?.(stackName) ?? physical(stackName, of);
    case 'Fn::GetAtt':
      return physical(stackName, of[0], of[1]);
    default:
      throw new Error(`how long is ${JSON.stringify(value)}?`);
  }
}

/** Source: "Resource identifiers", AWS CloudFormation User Guide. */
function physical(stackName: string, logicalId: string, attribute?: string): string {
  const { Type, Properties } = stacks.get(stackName)?.Resources[logicalId] ?? {};
  const generated = `${stackName}-${logicalId}-${'X'.repeat(13)}`;
  switch (`${Type} ${attribute ?? 'Ref'}`) {
    case 'AWS::SQS::Queue Ref':
      return `https://sqs.${region}.amazonaws.com/${account}/${generated.slice(0, 80)}`;
    case 'AWS::SQS::Queue QueueName':
      return generated.slice(0, 80);
    case 'AWS::KMS::Key Arn':
      return `arn:aws:kms:${region}:${account}:key/${'x'.repeat(36)}`;
    case 'AWS::DynamoDB::Table Ref':
      return generated.slice(0, 255);
    case 'AWS::S3::Bucket Ref':
      return generated.slice(0, 63);
    case 'AWS::Events::EventBus Ref':
      return Properties.Name;
    case 'AWS::ApiGatewayV2::Api Ref':
      return 'x'.repeat(10);
    case 'AWS::Lambda::Url FunctionUrl':
      return `https://${'x'.repeat(32)}.lambda-url.${region}.on.aws/`;
    default:
      throw new Error(`how long is ${attribute ?? 'the name'} of a ${Type}?`);
  }
}

function bytesOf(variables: Record<string, unknown>, stackName: string): number {
  const filled = Object.entries(variables).map(([name, value]) => [name, filledIn(value, stackName)]);
  return Buffer.byteLength(JSON.stringify(Object.fromEntries(filled)));
}

test('these are all functions that any stage has', () => {
  const names = functions.map(({ name }) => name).sort();
  expect(names).toEqual([...new Set(names)]);
  for (const one of Object.values(STAGES)) {
    const others = Object.values(synthesized(one)).flatMap(variablesOf);
    expect(others.map(({ name }) => name).filter((name) => !names.includes(name))).toEqual([]);
  }
});

test.each(functions)('$name gets an environment that Lambda takes', ({ part, variables }) => {
  expect(bytesOf(variables, `payhooks-${stage.name}-${part}`)).toBeLessThanOrEqual(OURS_BYTES);
  expect(OURS_BYTES).toBeLessThan(LAMBDA_TAKES_BYTES);
});

test.each(variablesOf(own))('$name gets one also in a stack with the longest name', ({ variables }) => {
  expect(bytesOf(variables, ownStack)).toBeLessThanOrEqual(LAMBDA_TAKES_BYTES);
});

test('each function logs JSON that keeps our lines and metrics, and of its invocations only those that fail', () => {
  for (const [, template] of templates) {
    for (const { Properties } of Object.values(template.findResources('AWS::Lambda::Function'))) {
      expect(Properties.LoggingConfig).toMatchObject({
        LogFormat: 'JSON',
        ApplicationLogLevel: 'INFO',
        SystemLogLevel: 'WARN',
      });
    }
  }
});

test('of usual attempts, stages on AWS log one of 20 and the local stage each', () => {
  const deliver = functions.find(({ name }) => name === 'deliver');
  expect(deliver?.variables.ATTEMPTS_PER_DRAW).toBe('20');
  expect([STAGES.dev, STAGES.local].map(({ attemptsPerDraw }) => attemptsPerDraw)).toEqual([20, 1]);
});
