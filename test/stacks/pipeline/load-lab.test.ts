import type { Template } from 'aws-cdk-lib/assertions';
import { matchesEventPattern } from '../../support/templates/event-pattern.ts';
import { propertiesOf } from '../../support/templates/resources.ts';
import { synthesized } from '../../support/templates/synthesized.ts';

const EMPTY = { source: 'payhooks.load', 'detail-type': 'load.empty', detail: { run: 'r1', number: 1 } };

/** Whether each rule matches it. */
function matched(template: Template): boolean[] {
  return propertiesOf(template, 'Events::Rule').map(({ EventPattern }) =>
    matchesEventPattern(EventPattern, EMPTY),
  );
}

const SETTINGS = [
  'VisibilityTimeout',
  'DeduplicationScope',
  'FifoThroughputLimit',
  'ContentBasedDeduplication',
];

/** The settings of queues and mappings that affect how long a record waits. */
function waysOf(template: Template, functions: RegExp) {
  const queues = template.findResources('AWS::SQS::Queue');
  return propertiesOf(template, 'Lambda::EventSourceMapping')
    .filter(({ FunctionName }) => functions.test(JSON.stringify(FunctionName)))
    .map(({ EventSourceArn, BatchSize: batch, ScalingConfig: { MaximumConcurrency: concurrency } }) => {
      const queue = queues[EventSourceArn['Fn::GetAtt'][0]]?.Properties;
      return { batch, concurrency, ...Object.fromEntries(SETTINGS.map((name) => [name, queue[name]])) };
    })
    .sort((a, b) => a.concurrency - b.concurrency);
}

describe.each(['local', 'dev'] as const)('in %s', (stage) => {
  test('the empty pipeline has the queues and mappings of the real one', () => {
    const { loadLab, pipeline } = synthesized(stage);
    const empty = waysOf(loadLab, /Relay|Sink/);
    expect(empty).toHaveLength(2);
    expect(empty).toEqual(waysOf(pipeline, /Match|Deliver/));
  });

  test('an empty event takes the empty pipeline and no other', () => {
    const { loadLab, pipeline } = synthesized(stage);
    expect(matched(loadLab)).toEqual([true]);
    expect(matched(pipeline)).not.toContain(true);
  });
});
