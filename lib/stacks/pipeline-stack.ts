import { CfnOutput, Duration, Fn, Stack, type StackProps } from 'aws-cdk-lib';
import { type CfnEventBus, EventBus } from 'aws-cdk-lib/aws-events';
import type { Construct } from 'constructs';
import { FixedAddresses } from '../constructs/functions/fixed-addresses.ts';
import { GradualRollout } from '../constructs/functions/gradual-rollout.ts';
import type { ServiceFunction } from '../constructs/functions/service-function.ts';
import type { TableFollower } from '../constructs/functions/table-follower.ts';
import { FifoWorkQueue } from '../constructs/queues/fifo-work-queue.ts';
import { letBusSend } from '../constructs/queues/queue-rules.ts';
import { ShardedRules } from '../constructs/queues/sharded-rules.ts';
import { TimerQueue } from '../constructs/queues/timer-queue.ts';
import { UnclaimedEvents } from '../constructs/queues/unclaimed-events.ts';
import { pipelineRolloutAlarms } from '../observability/rollout-alarms.ts';
import type { Stage } from '../stage.ts';
import { WORKER_SECONDS } from '../worker-times.ts';
import { busNameOf, type DataStack } from './data-stack.ts';
import { deliverFunction } from './pipeline/deliver.ts';
import { matchFunction } from './pipeline/match.ts';
import { addQueueDoor } from './pipeline/queue-door.ts';
import { statisticsFunction } from './pipeline/statistics.ts';
import { sweepFunction } from './pipeline/sweep.ts';
import { wakeFunction } from './pipeline/wake.ts';

interface PipelineStackProps extends StackProps {
  readonly stage: Stage;
  readonly data: DataStack;
}

/**
 * bus -> events.fifo -> match -> deliveries.fifo -> deliver -> partners. Failed messages come back through
 * retry-timers -> wake -> deliveries.fifo.
 */
export class PipelineStack extends Stack {
  readonly bus: EventBus;
  readonly rules: ShardedRules;
  readonly unclaimed: UnclaimedEvents;
  readonly events: FifoWorkQueue;
  readonly deliveries: FifoWorkQueue;
  readonly match: ServiceFunction;
  readonly retryTimers: TimerQueue;
  readonly deliver: ServiceFunction;
  readonly wake: ServiceFunction;
  readonly sweep: ServiceFunction;
  readonly statistics: ServiceFunction;
  /** Sends the final states of messages to `statistics`. */
  readonly outcomes: TableFollower;

  constructor(scope: Construct, id: string, props: PipelineStackProps) {
    super(scope, id, props);
    const { stage, data } = props;

    this.bus = new EventBus(this, 'Bus', { eventBusName: busNameOf(stage) });
    const { dataKey: encryptionKey } = data;
    this.events = new FifoWorkQueue(this, 'Events', {
      stage,
      workerTimeout: Duration.seconds(WORKER_SECONDS.match),
      contentBasedDeduplication: true,
      encryptionKey,
    });
    this.deliveries = new FifoWorkQueue(this, 'Deliveries', {
      stage,
      workerTimeout: Duration.seconds(WORKER_SECONDS.deliver),
      encryptionKey,
    });
    this.retryTimers = new TimerQueue(this, 'RetryTimers', {
      stage,
      workerTimeout: Duration.seconds(WORKER_SECONDS.wake),
    });
    this.rules = new ShardedRules(this, 'Rules', {
      bus: this.bus,
      target: this.events.queue,
      shards: stage.shards,
      deadLettersKey: data.spareKey,
    });
    if (stage.ownKeysEverywhere === true) {
      // CDK's `kmsKey` would have the key, of another stack, name this bus.
      const resource = this.bus.node.defaultChild as CfnEventBus;
      resource.kmsKeyIdentifier = encryptionKey?.keyArn;
      // What cannot be encrypted or decrypted.
      resource.deadLetterConfig = { arn: this.rules.deadLetters.queueArn };
      letBusSend(this.rules.deadLetters, busNameOf(stage));
    }

    this.unclaimed = new UnclaimedEvents(this, 'Unclaimed', this.bus);

    const network =
      stage.fixedAddresses &&
      new FixedAddresses(this, 'FixedAddresses', { stage, ...stage.fixedAddresses }).network;

    const { bus, events, deliveries, retryTimers } = this;
    const parts = { stage, data, bus, events, deliveries, retryTimers, network };
    this.match = matchFunction(this, parts);
    this.deliver = deliverFunction(this, parts);
    this.wake = wakeFunction(this, parts);
    this.sweep = sweepFunction(this, parts);
    ({ statistics: this.statistics, outcomes: this.outcomes } = statisticsFunction(this, parts));

    if (stage.rollout === 'canary' && !stage.emulated) {
      const functions = [this.match, this.deliver, this.wake, this.sweep, this.statistics];
      new GradualRollout(this, 'Rollout', {
        functions,
        alarms: pipelineRolloutAlarms(this, functions, deliveries.queue, stage),
      });
    }

    addQueueDoor(this, parts);

    new CfnOutput(this, 'BusName', { value: bus.eventBusName });
    new CfnOutput(this, 'EventsQueueUrl', { value: events.queue.queueUrl });
    new CfnOutput(this, 'EventsDeadLettersUrl', { value: events.deadLetters.queueUrl });
    new CfnOutput(this, 'DeliveriesQueueUrl', { value: deliveries.queue.queueUrl });
    new CfnOutput(this, 'DeliveriesDeadLettersUrl', { value: deliveries.deadLetters.queueUrl });
    new CfnOutput(this, 'RetryTimersUrl', { value: retryTimers.queue.queueUrl });
    new CfnOutput(this, 'RetryTimersDeadLettersUrl', { value: retryTimers.deadLetters.queueUrl });
    new CfnOutput(this, 'StatisticsDeadLettersUrl', { value: this.outcomes.deadLetters.queueUrl });
    new CfnOutput(this, 'UnclaimedEventsUrl', { value: this.unclaimed.queue.queueUrl });
    new CfnOutput(this, 'RuleDeadLettersUrl', { value: this.rules.deadLetters.queueUrl });
  }

  /** The first two zones of the region. CloudFormation resolves them, so synthesis needs no AWS call. */
  override get availabilityZones(): string[] {
    return [0, 1].map((index) => Fn.select(index, Fn.getAzs()));
  }
}
