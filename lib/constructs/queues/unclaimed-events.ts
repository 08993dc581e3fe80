import { Validations } from 'aws-cdk-lib';
import { EventField, type IEventBus, Match, Rule, RuleTargetInput } from 'aws-cdk-lib/aws-events';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { OPERATIONAL_SOURCE } from '../../../functions/adapters/eventbridge/operational-bus.ts';
import { EMPTY_SOURCE } from '../../../functions/load-lab/empty-event.ts';
import { EVENT_SOURCE } from '../../shards.ts';
import { KEPT, letRulesSend } from './queue-rules.ts';

const OUR_SOURCES = [EVENT_SOURCE, OPERATIONAL_SOURCE, EMPTY_SOURCE];

/** Members of every payment event, which together hardly any other event has. */
const LIKE_OURS = ['service_id', 'payment_id', 'event_type'];

/**
 * Keeps a trace of events on the bus that no rule of ours takes: of a publisher who mistyped `Source`. The
 * bus accepts and drops them. A trace says who sent what when, not what was in it: the publisher has that,
 * and nobody else needs to look after it. On a shared bus, other sources are other teams': only what looks
 * like a payment event leaves a trace.
 */
export class UnclaimedEvents extends Construct {
  readonly queue: Queue;

  constructor(scope: Construct, id: string, bus: IEventBus, { isShared }: { readonly isShared: boolean }) {
    super(scope, id);
    this.queue = new Queue(this, 'Queue', KEPT);
    Validations.of(this.queue).acknowledge({
      id: 'AwsSolutions-SQS3',
      reason: 'Nothing processes these records: people read them.',
    });
    const rule = new Rule(this, 'Rule', {
      eventBus: bus,
      description: 'Traces of events that nobody takes, to a queue',
      eventPattern: {
        source: Match.anythingBut(...OUR_SOURCES),
        ...(isShared && { detail: Object.fromEntries(LIKE_OURS.map((name) => [name, Match.exists()])) }),
      },
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
