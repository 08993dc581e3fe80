import { Duration, Stack, Validations } from 'aws-cdk-lib';
import { CfnRule, type EventBus } from 'aws-cdk-lib/aws-events';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct, type IConstruct } from 'constructs';
import { EVENT_SOURCE, restPattern, SHARDS, shardPattern } from '../../shards.ts';
import { KEPT } from './queue-rules.ts';

interface ShardedRulesProps {
  readonly bus: EventBus;
  readonly target: Queue;
}

/**
 * Takes every payment event from the bus to a FIFO queue, each payment always in the same message group. A classic EventBridge bus can
 * give a FIFO target only a group that stands in the rule, so there is a rule for each shard of payment ids, and one for events without
 * a usable payment id: what matched no rule would vanish.
 */
export class ShardedRules extends Construct {
  /**
   * Where EventBridge puts what it could not put on the queue for a day. Encrypted with a key that SQS owns, whatever the target has: with one key for both, a
   * key that is disabled, or its policy, would keep EventBridge from either, and what reaches neither is gone.
   */
  readonly deadLetters: Queue;

  constructor(scope: Construct, id: string, { bus, target }: ShardedRulesProps) {
    super(scope, id);
    this.deadLetters = new Queue(this, 'DeadLetters', KEPT);
    Validations.of(this.deadLetters).acknowledge({
      id: 'AwsSolutions-SQS3',
      reason: 'This is the dead-letter queue of the rules; CDK knows it as such only for redrive policies.',
    });

    // One statement for all rules of the bus: seventeen would come near the size limit of a queue policy.
    const policies = [target, this.deadLetters].map((queue) => this.#letRulesSend(queue, bus));

    const rule = (name: string, detail: object) => {
      const made = new CfnRule(this, name, {
        eventBusName: bus.eventBusName,
        description: `Payment events of ${name} to the events queue`,
        eventPattern: { source: [EVENT_SOURCE], detail },
        targets: [
          {
            id: 'EventsQueue',
            arn: target.queueArn,
            // The detail alone, so that a publisher's repeat has the same content and is dropped by the queue.
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
      // A rule that matches before it may send would lose what it matches.
      made.node.addDependency(...policies);
    };
    for (const shard of SHARDS) {
      rule(shard.name, shardPattern(shard));
    }
    rule('rest', restPattern());
  }

  #letRulesSend(queue: Queue, bus: EventBus): IConstruct {
    queue.addToResourcePolicy(
      new PolicyStatement({
        sid: 'RulesOfTheBus',
        principals: [new ServicePrincipal('events.amazonaws.com')],
        actions: ['sqs:SendMessage'],
        resources: [queue.queueArn],
        conditions: {
          ArnLike: {
            'aws:SourceArn': Stack.of(this).formatArn({
              service: 'events',
              resource: 'rule',
              resourceName: `${bus.eventBusName}/*`,
            }),
          },
        },
      }),
    );
    return queue.node.findChild('Policy');
  }
}
