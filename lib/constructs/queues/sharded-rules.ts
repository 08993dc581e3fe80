import { Duration, Validations } from 'aws-cdk-lib';
import { CfnRule, type IEventBus } from 'aws-cdk-lib/aws-events';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { shardRuleDescription } from '../../observability/rule-queries.ts';
import { EVENT_SOURCE, REST, restPattern, type ShardCount, shardPattern, shardsOf } from '../../shards.ts';
import type { DataKey } from '../data/data-key.ts';
import { encryptWith, KEPT, letRulesSend } from './queue-rules.ts';

interface ShardedRulesProps {
  /** The deployment's name: several may share the bus. */
  readonly deployment: string;
  readonly bus: IEventBus;
  readonly target: Queue;
  /** Not that of the target. @default - a key that SQS owns */
  readonly deadLettersKey?: DataKey | undefined;
  readonly shards: ShardCount;
}

/**
 * Sends every payment event from the bus to a FIFO queue, each payment always in the same message group. For
 * a FIFO target, a rule has one fixed group, so there is a rule for each shard of payment ids, and one for
 * events without a usable payment id: an event that matches no rule would be lost.
 */
export class ShardedRules extends Construct {
  /**
   * Events that EventBridge could not send for a day. Never encrypted with the target's key: if they shared
   * it, one disabled key or a bad key policy would block both, and the events would be lost.
   */
  readonly deadLetters: Queue;

  constructor(scope: Construct, id: string, props: ShardedRulesProps) {
    super(scope, id);
    const { deployment, bus, target, shards, deadLettersKey } = props;
    this.deadLetters = new Queue(this, 'DeadLetters', KEPT);
    encryptWith(deadLettersKey, this.deadLetters);
    Validations.of(this.deadLetters).acknowledge({
      id: 'AwsSolutions-SQS3',
      reason:
        'This is the dead-letter queue of the rules; CDK recognises dead-letter queues by redrive policies only.',
    });

    const policies = [target, this.deadLetters].map((queue) =>
      letRulesSend(queue, bus.eventBusName, 'RulesOfTheBus'),
    );

    const rule = (name: string, detail: object) => {
      const made = new CfnRule(this, name, {
        eventBusName: bus.eventBusName,
        description: shardRuleDescription(name, deployment),
        eventPattern: { source: [EVENT_SOURCE], detail },
        targets: [
          {
            id: 'EventsQueue',
            arn: target.queueArn,
            // Only the detail, so that an event that is published twice has the same content and SQS drops
            // the duplicate.
            inputPath: '$.detail',
            sqsParameters: { messageGroupId: name },
            retryPolicy: {
              maximumEventAgeInSeconds: Duration.hours(24).toSeconds(),
              maximumRetryAttempts: 185,
            },
            deadLetterConfig: { arn: this.deadLetters.queueArn },
          },
        ],
      });
      // Otherwise a rule could match before it may send, and lose the event.
      made.node.addDependency(...policies);
    };
    for (const shard of shardsOf(shards)) {
      rule(shard.name, shardPattern(shard));
    }
    rule(REST, restPattern());
  }
}
