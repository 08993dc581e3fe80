import type { Template } from 'aws-cdk-lib/assertions';
import { FAILURE_CLASSES } from '../../../functions/core/attempt/attempt.ts';
import { CIRCUIT_STATES } from '../../../functions/core/circuit/circuit.ts';
import { METRIC, METRIC_NAMESPACE } from '../../../functions/telemetry/metric-names.ts';
import type { STAGES } from '../../../payhooks.config.ts';
import { propertiesOf, synthesized } from '../../support/templates/synthesized.ts';

type Resource = { readonly Type: string; readonly Properties: Record<string, unknown> };
type Widget = { readonly type: string; readonly properties: Record<string, unknown> };
interface Shown {
  readonly namespace: string;
  readonly name: string;
  readonly dimensions: Record<string, string>;
}

const OUR_METRICS = [
  ...Object.values(METRIC).filter((name) => typeof name === 'string'),
  ...['delivered', ...FAILURE_CLASSES].map(METRIC.attempt),
  ...CIRCUIT_STATES.map(METRIC.circuit),
];

/** The dimension of each kind of resource. */
const KINDS: Readonly<Record<string, string>> = {
  FunctionName: 'AWS::Lambda::Function',
  QueueName: 'AWS::SQS::Queue',
  TableName: 'AWS::DynamoDB::Table',
};

/** The dashboard of a stage, and the resources of its other stacks, by their outputs. */
function dashboardOf(stage: keyof typeof STAGES) {
  const stacks = synthesized(stage);
  const given = new Map(Object.entries(stacks).flatMap(([part, stack]) => outputsOf(part, stage, stack)));
  const [{ Properties }] = Object.values(
    stacks.observability.findResources('AWS::CloudWatch::Dashboard'),
  ) as [Resource];
  const { widgets } = JSON.parse(flat(Properties.DashboardBody)) as { widgets: Widget[] };
  return { stacks, widgets, given };
}

/** A text with CloudFormation's values filled in by name. */
function flat(body: unknown): string {
  const [separator, parts] = (body as { 'Fn::Join': [string, unknown[]] })['Fn::Join'];
  return parts.map((part) => (typeof part === 'string' ? part : nameOf(part))).join(separator);
}

function nameOf(part: unknown): string {
  const [[kind, value]] = Object.entries(part as object) as [[string, unknown]];
  if (kind === 'Fn::GetStackOutput') {
    const { StackName, OutputName } = value as { StackName: string; OutputName: string };
    return `${StackName}:${OutputName}`;
  }
  return kind === 'Ref' ? String(value) : JSON.stringify(value).replaceAll('"', '');
}

function outputsOf(part: string, stage: string, stack: Template): [string, Resource][] {
  const { Resources = {}, Outputs = {} } = stack.toJSON();
  return Object.entries(Outputs as Record<string, { Value: Record<string, unknown> }>).map(
    ([name, { Value }]) => {
      const logicalId = (Value.Ref ?? (Value['Fn::GetAtt'] as string[])?.[0]) as string;
      return [`payhooks-${stage}-${part}:${name}`, Resources[logicalId]];
    },
  );
}

/** The metrics of a widget, without expressions. A dot repeats the value of the previous entry. */
function metricsOf({ properties: { metrics = [] } }: Widget): Shown[] {
  let before: unknown[] = [];
  return (metrics as unknown[][]).flatMap((entry) => {
    if (typeof entry[0] === 'object') {
      return [];
    }
    const texts = entry
      .filter((part) => typeof part === 'string')
      .map((part, index) => (part === '.' ? before[index] : part)) as string[];
    before = texts;
    const [namespace = '', name = '', ...pairs] = texts;
    const dimensions: Record<string, string> = {};
    for (let index = 0; index < pairs.length; index += 2) {
      dimensions[pairs[index] ?? ''] = pairs[index + 1] ?? '';
    }
    return [{ namespace, name, dimensions }];
  });
}

const dashboards = { local: dashboardOf('local'), prod: dashboardOf('prod') };

describe.each(['local', 'prod'] as const)('the dashboard of %s', (stage) => {
  const { stacks, widgets, given } = dashboards[stage];
  const shown = widgets.flatMap(metricsOf);

  test('shows custom metrics that existing functions emit', () => {
    const services = [...given.values()]
      .filter((resource) => resource?.Type === 'AWS::Lambda::Function')
      .map(({ Properties }) => (Properties.Environment as { Variables: Record<string, string> }).Variables)
      .map(({ POWERTOOLS_SERVICE_NAME }) => POWERTOOLS_SERVICE_NAME);
    const ours = shown.filter(({ namespace }) => namespace === METRIC_NAMESPACE);
    expect(ours.length).toBeGreaterThan(15);
    for (const { name, dimensions } of ours) {
      expect(OUR_METRICS).toContain(name);
      expect(Object.keys(dimensions)).toEqual(['service']);
      expect(services).toContain(dimensions.service);
    }
  });

  test('shows metrics of functions, queues and tables that exist', () => {
    const theirs = shown.filter(({ namespace }) => namespace.startsWith('AWS/'));
    expect(theirs.length).toBeGreaterThan(50);
    for (const { dimensions } of theirs) {
      const { GlobalSecondaryIndexName: index, ...others } = dimensions;
      const [[dimension, value] = []] = Object.entries(others);
      if (dimension === 'EventBusName') {
        expect(value).toMatch(/pipeline:.*Bus/);
        continue;
      }
      const thing = given.get(value ?? '');
      expect([dimension, thing?.Type]).toEqual([dimension, KINDS[dimension ?? '']]);
      if (index !== undefined) {
        expect(thing?.Properties.GlobalSecondaryIndexes).toContainEqual(
          expect.objectContaining({ IndexName: index }),
        );
      }
    }
  });

  test('shows every alarm of the stage first, the urgent ones apart', () => {
    const made = propertiesOf(stacks.observability, 'CloudWatch::Alarm');
    const urgent = made.filter(({ AlarmDescription }) => AlarmDescription.startsWith('Urgent: '));
    const [first, second] = widgets;
    expect(first?.properties).toMatchObject({ title: 'Urgent alarms' });
    expect(first?.properties.alarms).toHaveLength(urgent.length);
    expect(second?.properties.alarms).toHaveLength(made.length - urgent.length);
  });
});
