import { CfnOutput, Duration, Fn, Stack, type StackProps } from 'aws-cdk-lib';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { Grant, type IGrantable } from 'aws-cdk-lib/aws-iam';
import { FilterCriteria, FilterRule } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import {
  historyTable,
  orderingKeysTable,
  subscriptionsTable,
} from '../../functions/adapters/dynamodb/table-keys.ts';
import { OPERATIONAL_SOURCE } from '../../functions/adapters/eventbridge/operational-bus.ts';
import { testNetworkVariables } from '../../functions/adapters/http/test-network.ts';
import type { DeliverEnv } from '../../functions/pipeline/deliver/env.ts';
import type { MatchEnv } from '../../functions/pipeline/match/env.ts';
import type { SweepEnv } from '../../functions/pipeline/sweep/env.ts';
import type { WakeEnv } from '../../functions/pipeline/wake/env.ts';
import type { StatisticsEnv } from '../../functions/streams/statistics/env.ts';
import { FixedAddresses, type Network } from '../constructs/functions/fixed-addresses.ts';
import { GradualRollout } from '../constructs/functions/gradual-rollout.ts';
import { ManagedInstances } from '../constructs/functions/managed-instances.ts';
import { ServiceFunction } from '../constructs/functions/service-function.ts';
import { TableFollower } from '../constructs/functions/table-follower.ts';
import { PublisherRole } from '../constructs/publisher-role.ts';
import { EveryMinute } from '../constructs/queues/every-minute.ts';
import { FifoWorkQueue } from '../constructs/queues/fifo-work-queue.ts';
import { ShardedRules } from '../constructs/queues/sharded-rules.ts';
import { TimerQueue } from '../constructs/queues/timer-queue.ts';
import { pipelineRolloutAlarms } from '../observability/rollout-alarms.ts';
import type { Stage } from '../stages.ts';
import { WORKER_SECONDS } from '../worker-times.ts';
import { busNameOf, type DataStack } from './data-stack.ts';

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
  readonly events: FifoWorkQueue;
  readonly deliveries: FifoWorkQueue;
  readonly match: ServiceFunction;
  readonly retryTimers: TimerQueue;
  /** The instances of match and deliver. Undefined where they run on Lambda. */
  readonly instances: ManagedInstances | undefined;
  readonly deliver: ServiceFunction;
  readonly wake: ServiceFunction;
  readonly sweep: ServiceFunction;
  readonly statistics: ServiceFunction;
  /** Sends the final states of messages to `statistics`. */
  readonly outcomes: TableFollower;

  constructor(scope: Construct, id: string, props: PipelineStackProps) {
    super(scope, id, props);
    const { stage, data } = props;
    const times = {
      match: Duration.seconds(WORKER_SECONDS.match),
      deliver: Duration.seconds(WORKER_SECONDS.deliver),
      wake: Duration.seconds(WORKER_SECONDS.wake),
    };
    const deliveryPolicy = JSON.stringify(stage.deliveryPolicy);

    this.bus = new EventBus(this, 'Bus', { eventBusName: busNameOf(stage) });
    const { dataKey: encryptionKey } = data;
    this.events = new FifoWorkQueue(this, 'Events', {
      stage,
      workerTimeout: times.match,
      contentBasedDeduplication: true,
      encryptionKey,
    });
    this.deliveries = new FifoWorkQueue(this, 'Deliveries', {
      stage,
      workerTimeout: times.deliver,
      encryptionKey,
    });
    this.retryTimers = new TimerQueue(this, 'RetryTimers', { stage, workerTimeout: times.wake });
    this.rules = new ShardedRules(this, 'Rules', { bus: this.bus, target: this.events.queue });

    const network =
      stage.fixedAddresses &&
      new FixedAddresses(this, 'FixedAddresses', { stage, ...stage.fixedAddresses }).network;
    this.instances = this.#instances(stage, network);

    this.match = new ServiceFunction(this, 'Match', {
      stage,
      instances: this.instances,
      name: 'match',
      description: 'Turns each event into messages: one for each subscription that wants it',
      timeout: times.match,
      memorySizeMiB: 512,
      reservedConcurrency: stage.concurrency.match,
      environment: {
        SUBSCRIPTIONS_TABLE: data.subscriptions.tableName,
        HISTORY_TABLE: data.history.tableName,
        EVENTS_QUEUE_URL: this.events.queue.queueUrl,
        DELIVERIES_QUEUE_URL: this.deliveries.queue.queueUrl,
        EVENTS_DEAD_LETTERS_URL: this.events.deadLetters.queueUrl,
        DELIVERY_POLICY: deliveryPolicy,
      } satisfies MatchEnv,
    });
    this.events.feed(this.match, stage.concurrency.match);
    this.events.grantDeadLetter(this.match);
    this.match.allow(['dynamodb:BatchGetItem'], data.subscriptions.tableArn);
    this.match.allow(['dynamodb:PutItem'], data.history.tableArn);
    this.match.allow(['sqs:SendMessage'], this.deliveries.queue.queueArn);
    data.allowDataKey(this.match, { tables: 'writing', queues: 'sending' });

    this.deliver = new ServiceFunction(this, 'Deliver', {
      stage,
      name: 'deliver',
      description: 'Signs and sends messages in the order of each payment, and records every attempt',
      timeout: times.deliver,
      // It mostly waits for partners, and waiting is billed by memory: docs/performance.md, "Memory of
      // deliver".
      memorySizeMiB: 512,
      reservedConcurrency: stage.concurrency.deliver,
      loops: true,
      network,
      instances: this.instances,
      environment: {
        SUBSCRIPTIONS_TABLE: data.subscriptions.tableName,
        SIGNING_SECRETS_TABLE: data.signingSecrets.tableName,
        HISTORY_TABLE: data.history.tableName,
        KEYS_TABLE: data.keys.tableName,
        DELIVERIES_QUEUE_URL: this.deliveries.queue.queueUrl,
        DELIVERIES_DEAD_LETTERS_URL: this.deliveries.deadLetters.queueUrl,
        RETRY_TIMERS_URL: this.retryTimers.queue.queueUrl,
        BUS_NAME: this.bus.eventBusName,
        CALLBACK_URL_RULES: JSON.stringify(stage.callbackUrls),
        DELIVERY_POLICY: deliveryPolicy,
        ...testNetworkVariables(stage.testNetwork),
      } satisfies DeliverEnv,
    });
    this.deliveries.feed(this.deliver, stage.concurrency.deliver);
    this.deliveries.grantDeadLetter(this.deliver);
    // Signals that it sends to itself.
    this.deliver.allow(['sqs:SendMessage'], this.deliveries.queue.queueArn);
    this.retryTimers.grantArm(this.deliver);
    this.deliver.allow(['dynamodb:BatchGetItem', 'dynamodb:UpdateItem'], data.subscriptions.tableArn);
    this.deliver.allow(
      [
        'dynamodb:BatchGetItem',
        'dynamodb:Query',
        'dynamodb:PutItem',
        'dynamodb:UpdateItem',
        'dynamodb:DeleteItem',
        // For the previous version, which may still run.
        'dynamodb:ConditionCheckItem',
      ],
      data.keys.tableArn,
    );
    this.deliver.allow(
      ['dynamodb:BatchGetItem', 'dynamodb:BatchWriteItem', 'dynamodb:PutItem'],
      data.history.tableArn,
    );
    this.deliver.allow(['dynamodb:BatchGetItem'], data.signingSecrets.tableArn);
    data.allowSecretsKey(this.deliver, 'reading');
    data.allowDataKey(this.deliver, { tables: 'writing', queues: 'sending' });
    this.grantOperationalEvents(this.deliver);

    this.wake = new ServiceFunction(this, 'Wake', {
      stage,
      name: 'wake',
      description:
        'Handles due timers: signals to blocked ordering keys, circuit timers, steps of recoveries',
      timeout: times.wake,
      memorySizeMiB: 512,
      reservedConcurrency: stage.concurrency.wake,
      loops: true,
      environment: {
        SUBSCRIPTIONS_TABLE: data.subscriptions.tableName,
        KEYS_TABLE: data.keys.tableName,
        HISTORY_TABLE: data.history.tableName,
        DELIVERIES_QUEUE_URL: this.deliveries.queue.queueUrl,
        RETRY_TIMERS_URL: this.retryTimers.queue.queueUrl,
        BUS_NAME: this.bus.eventBusName,
        DELIVERY_POLICY: deliveryPolicy,
      } satisfies WakeEnv,
    });
    this.retryTimers.feed(this.wake, stage.concurrency.wake);
    this.retryTimers.grantArm(this.wake);
    this.wake.allow(['sqs:SendMessage'], this.deliveries.queue.queueArn);
    this.wake.allow(
      ['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem'],
      data.subscriptions.tableArn,
    );
    this.wake.allow(['dynamodb:UpdateItem'], data.keys.tableArn);
    this.wake.allow(
      ['dynamodb:Query'],
      `${data.keys.tableArn}/index/${orderingKeysTable.line}`,
      `${data.history.tableArn}/index/${historyTable.waiting}`,
      `${data.history.tableArn}/index/${historyTable.bySubscription}`,
    );
    data.allowDataKey(this.wake, { tables: 'writing', queues: 'sending' });
    this.grantOperationalEvents(this.wake);

    this.sweep = new ServiceFunction(this, 'Sweep', {
      stage,
      name: 'sweep',
      description:
        'Finds ordering keys, circuits and recoveries whose timer is due, too far ahead for SQS or lost, and sends their timers',
      timeout: Duration.seconds(60),
      memorySizeMiB: 512,
      reservedConcurrency: stage.concurrency.sweep,
      environment: {
        SUBSCRIPTIONS_TABLE: data.subscriptions.tableName,
        KEYS_TABLE: data.keys.tableName,
        RETRY_TIMERS_URL: this.retryTimers.queue.queueUrl,
        DELIVERY_POLICY: deliveryPolicy,
      } satisfies SweepEnv,
    });
    new EveryMinute(this, 'SweepEveryMinute', this.sweep);
    this.retryTimers.grantArm(this.sweep);
    data.allowDataKey(this.sweep, { tables: 'writing' });
    this.sweep.allow(['dynamodb:UpdateItem'], data.subscriptions.tableArn, data.keys.tableArn);
    this.sweep.allow(
      ['dynamodb:Query'],
      `${data.subscriptions.tableArn}/index/${subscriptionsTable.due}`,
      `${data.keys.tableArn}/index/${orderingKeysTable.due}`,
      `${data.keys.tableArn}/index/${orderingKeysTable.aging}`,
      // To measure how much waits there, and for how long.
      `${data.keys.tableArn}/index/${orderingKeysTable.line}`,
      `${data.keys.tableArn}/index/${orderingKeysTable.faulted}`,
    );

    this.statistics = new ServiceFunction(this, 'Tally', {
      stage,
      name: 'statistics',
      description: 'Counts the final states of messages by subscription and hour',
      timeout: Duration.seconds(60),
      memorySizeMiB: 512,
      reservedConcurrency: stage.concurrency.statistics,
      environment: { STATISTICS_TABLE: data.statistics.tableName } satisfies StatisticsEnv,
    });
    this.outcomes = new TableFollower(this, 'Outcomes', {
      table: data.history,
      worker: this.statistics,
      // Later attempts update their message, so message items suffice. Removed items do not count.
      filter: FilterCriteria.filter({
        eventName: FilterRule.or('INSERT', 'MODIFY'),
        dynamodb: { Keys: { [historyTable.sortKey]: { S: FilterRule.isEqual(historyTable.messageItem) } } },
      }),
      window: stage.statisticsWindow,
    });
    this.statistics.allow(['dynamodb:UpdateItem'], data.statistics.tableArn);
    // The stream has the same encryption as its table.
    data.allowDataKey(this.statistics, { tables: 'reading' });

    if (stage.rollout === 'canary' && !stage.emulated) {
      const functions = [this.match, this.deliver, this.wake, this.sweep, this.statistics];
      new GradualRollout(this, 'Rollout', {
        functions,
        alarms: pipelineRolloutAlarms(this, functions, stage),
      });
    }

    if (stage.queuePublishers !== undefined) {
      const { queuePublishers: publishers } = stage;
      const role = new PublisherRole(this, 'PublisherRole', { publishers, events: this.events, data });
      new CfnOutput(this, 'PublisherRoleArn', { value: role.roleArn });
    }

    new CfnOutput(this, 'BusName', { value: this.bus.eventBusName });
    new CfnOutput(this, 'EventsQueueUrl', { value: this.events.queue.queueUrl });
    new CfnOutput(this, 'EventsDeadLettersUrl', { value: this.events.deadLetters.queueUrl });
    new CfnOutput(this, 'DeliveriesQueueUrl', { value: this.deliveries.queue.queueUrl });
    new CfnOutput(this, 'DeliveriesDeadLettersUrl', { value: this.deliveries.deadLetters.queueUrl });
    new CfnOutput(this, 'RetryTimersUrl', { value: this.retryTimers.queue.queueUrl });
    new CfnOutput(this, 'RetryTimersDeadLettersUrl', { value: this.retryTimers.deadLetters.queueUrl });
    new CfnOutput(this, 'TallyDeadLettersUrl', { value: this.outcomes.deadLetters.queueUrl });
    new CfnOutput(this, 'RuleDeadLettersUrl', { value: this.rules.deadLetters.queueUrl });
  }

  /** @throws when the stage has no fixed addresses */
  #instances(stage: Stage, network: Network | undefined): ManagedInstances | undefined {
    if (stage.compute !== 'managed-instances') {
      return undefined;
    }
    if (network === undefined) {
      throw new Error(
        `${stage.name}: managed instances need a network of the stage to reach partners and AWS. Set fixedAddresses, such as { natGateways: 2 } (lib/stages.ts)`,
      );
    }
    const { match, deliver } = stage.concurrency;
    return new ManagedInstances(this, 'Instances', { stage, network, workers: [match, deliver] });
  }

  /** The first two zones of the region. CloudFormation resolves them, so synthesis needs no AWS call. */
  override get availabilityZones(): string[] {
    return [0, 1].map((index) => Fn.select(index, Fn.getAzs()));
  }

  /** Lets a function publish operational events, but never a payment event. */
  grantOperationalEvents(grantee: IGrantable): void {
    Grant.addToPrincipal({
      grantee,
      actions: ['events:PutEvents'],
      resourceArns: [this.bus.eventBusArn],
      // A call holds several entries, so the condition key has several values.
      conditions: { 'ForAllValues:StringEquals': { 'events:source': OPERATIONAL_SOURCE } },
    });
  }
}
