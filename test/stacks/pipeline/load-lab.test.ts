import type { Template } from 'aws-cdk-lib/assertions';
import { STAGES } from '../../../lib/stages.ts';
import { matchesEventPattern } from '../../support/templates/event-pattern.ts';
import { synthesized } from '../../support/templates/synthesized.ts';

const EMPTY = { source: 'payhooks.load', 'detail-type': 'load.empty', detail: { run: 'r1', number: 1 } };

interface Rule {
  readonly EventPattern: Parameters<typeof matchesEventPattern>[0];
}

function rulesOf(template: Template): Rule[] {
  return Object.values(template.findResources('AWS::Events::Rule')).map(({ Properties }) => Properties);
}

/** The settings of queues and mappings that affect how long a record waits. */
function waysOf(template: Template, functions: RegExp) {
  const queues = template.findResources('AWS::SQS::Queue');
  return Object.values(template.findResources('AWS::Lambda::EventSourceMapping'))
    .filter(({ Properties }) => functions.test(JSON.stringify(Properties.FunctionName)))
    .map(({ Properties }) => {
      const name = Properties.EventSourceArn['Fn::GetAtt'][0];
      const { VisibilityTimeout, DeduplicationScope, FifoThroughputLimit, ContentBasedDeduplication } =
        queues[name]?.Properties ?? {};
      return {
        batch: Properties.BatchSize,
        concurrency: Properties.ScalingConfig.MaximumConcurrency,
        VisibilityTimeout,
        DeduplicationScope,
        FifoThroughputLimit,
        ContentBasedDeduplication,
      };
    })
    .sort((a, b) => a.concurrency - b.concurrency);
}

describe.each(['local', 'dev'] as const)('in %s', (stage) => {
  test('the empty pipeline has the queues and mappings of the real one', () => {
    const { loadLab, pipeline } = synthesized(stage);
    const empty = waysOf(loadLab, /Relay|Note/);
    expect(empty).toHaveLength(2);
    expect(empty).toEqual(waysOf(pipeline, /Match|Deliver/));
  });

  test('an empty event takes the empty pipeline and no other', () => {
    const { loadLab, pipeline } = synthesized(stage);
    expect(rulesOf(loadLab).map(({ EventPattern }) => matchesEventPattern(EventPattern, EMPTY))).toEqual([
      true,
    ]);
    expect(rulesOf(pipeline).filter(({ EventPattern }) => matchesEventPattern(EventPattern, EMPTY))).toEqual(
      [],
    );
  });
});

test('prod has no load lab', () => {
  expect(STAGES.prod.loadLab).toBe(false);
});
