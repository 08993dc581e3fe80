import { Validations } from 'aws-cdk-lib';
import { EventField, type IEventBus, Match, Rule, RuleTargetInput } from 'aws-cdk-lib/aws-events';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { OPERATIONAL_SOURCE } from '../../../functions/adapters/eventbridge/operational-bus.ts';
import { EMPTY_SOURCE } from '../../../functions/load-lab/empty-event.ts';
import { EVENT_SOURCE } from '../../shards.ts';
import { KEPT, letRulesSend } from './queue-rules.ts';

/** Sources of events that are for us, or for rules of others. */
const KNOWN_SOURCES = [EVENT_SOURCE, OPERATIONAL_SOURCE, EMPTY_SOURCE];

/**
 * Keeps a trace of events on the bus that no rule of ours takes: of a publisher who mistyped `Source`. The
 * bus accepts and drops them. A trace says who sent what when, not what was in it: the publisher has that,
 * and nobody else needs to look after it.
 */
export class UnclaimedEvents extends Construct {
  readonly queue: Queue;

  constructor(scope: Construct, id: string, bus: IEventBus) {
    super(scope, id);
    this.queue = new Queue(this, 'Queue', KEPT);
    Validations.of(this.queue).acknowledge({
      id: 'AwsSolutions-SQS3',
      reason: 'Nothing processes these records: people read them.',
    });
    const rule = new Rule(this, 'Rule', {
      eventBus: bus,
      description: 'Traces of events that nobody takes, to a queue',
      eventPattern: { source: Match.anythingBut(...KNOWN_SOURCES) },
    });
    const fields = {
      account: '$.account',
      source: '$.source',
      type: '$.detail-type',
      id: '$.id',
      time: '$.time',
    };
    rule.addTarget({
      bind: () => ({
        arn: this.queue.queueArn,
        input: RuleTargetInput.fromObject(
          Object.fromEntries(Object.entries(fields).map(([name, path]) => [name, EventField.fromPath(path)])),
        ),
      }),
    });
    rule.node.addDependency(letRulesSend(this.queue, bus.eventBusName, 'RulesOfTheBus'));
  }
}
