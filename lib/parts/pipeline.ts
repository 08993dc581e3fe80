import { Duration, Stack, Stage } from 'aws-cdk-lib';
import { CfnEventBus, EventBus, type IEventBus } from 'aws-cdk-lib/aws-events';
import type { Role } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { refuseElsewhere } from '../constructs/elsewhere.ts';
import { existingNetwork } from '../constructs/functions/existing-network.ts';
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
import type { Settings } from '../settings.ts';
import { WORKER_SECONDS } from '../worker-times.ts';
import type { Data } from './data.ts';
import { deliverFunction } from './pipeline/deliver.ts';
import { matchFunction } from './pipeline/match.ts';
import { queueDoor } from './pipeline/queue-door.ts';
import { statisticsFunction } from './pipeline/statistics.ts';
import { sweepFunction } from './pipeline/sweep.ts';
import { wakeFunction } from './pipeline/wake.ts';

interface PipelineProps {
  readonly settings: Settings;
  readonly data: Data;
}

/**
 * bus -> events.fifo -> match -> deliveries.fifo -> deliver -> partners. Failed messages come back through
 * retry-timers -> wake -> deliveries.fifo.
 */
export class Pipeline extends Construct {
  readonly bus: IEventBus;
  /** Known before the bus exists: alarms and other parts refer to it. */
  readonly busName: string;
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
  /** What publishers take on to send straight into `events`. Undefined where none may. */
  readonly publisherRole: Role | undefined;
  /** From which webhooks are sent. Empty where they change. */
  readonly fixedAddresses: readonly string[];

  constructor(scope: Construct, id: string, props: PipelineProps) {
    super(scope, id);
    const { settings, data } = props;

    const ownName = `payhooks-${settings.name}`;
    this.bus = this.#bus(settings, ownName);
    this.busName = settings.bus?.eventBusName ?? ownName;
    const { dataKey: encryptionKey } = data;
    this.events = new FifoWorkQueue(this, 'Events', {
      settings,
      workerTimeout: Duration.seconds(WORKER_SECONDS.match),
      contentBasedDeduplication: true,
      encryptionKey,
    });
    this.deliveries = new FifoWorkQueue(this, 'Deliveries', {
      settings,
      workerTimeout: Duration.seconds(WORKER_SECONDS.deliver),
      encryptionKey,
    });
    this.retryTimers = new TimerQueue(this, 'RetryTimers', {
      settings,
      workerTimeout: Duration.seconds(WORKER_SECONDS.wake),
    });
    this.rules = new ShardedRules(this, 'Rules', {
      deployment: settings.name,
      bus: this.bus,
      target: this.events.queue,
      shards: settings.shards,
      deadLettersKey: data.spareKey,
    });
    if (settings.ownKeysEverywhere === true && settings.bus === undefined) {
      // CDK's `kmsKey` would have the key, of another stack, name this bus.
      const resource = this.bus.node.defaultChild as CfnEventBus;
      resource.kmsKeyIdentifier = encryptionKey?.keyArn;
      // What cannot be encrypted or decrypted.
      resource.deadLetterConfig = { arn: this.rules.deadLetters.queueArn };
      letBusSend(this.rules.deadLetters, ownName);
    }

    this.unclaimed = new UnclaimedEvents(this, 'Unclaimed', this.bus, {
      isShared: settings.bus !== undefined,
    });

    const fixed =
      settings.fixedAddresses &&
      new FixedAddresses(this, 'FixedAddresses', { settings, ...settings.fixedAddresses });
    this.fixedAddresses = fixed?.addresses ?? [];
    const network = existingNetwork(this, settings) ?? fixed?.network;

    const { bus, events, deliveries, retryTimers } = this;
    const parts = { settings, data, bus, events, deliveries, retryTimers, network };
    this.match = matchFunction(this, parts);
    this.deliver = deliverFunction(this, parts);
    this.wake = wakeFunction(this, parts);
    this.sweep = sweepFunction(this, parts);
    ({ statistics: this.statistics, outcomes: this.outcomes } = statisticsFunction(this, parts));

    if (settings.rollout === 'canary' && !settings.emulated) {
      const functions = [this.match, this.deliver, this.wake, this.sweep, this.statistics];
      new GradualRollout(this, 'Rollout', {
        functions,
        alarms: pipelineRolloutAlarms(this, functions, deliveries.queue, settings),
        name: `payhooks-${settings.name}-pipeline`,
      });
    }

    this.publisherRole = queueDoor(this, parts);
  }

  /** @throws when an existing one is in another account or region: rules are where their bus is */
  #bus({ bus, emulated }: Settings, eventBusName: string): IEventBus {
    if (bus === undefined) {
      return new EventBus(this, 'Bus', { eventBusName });
    }
    const { eventBusName: name } = bus;
    if (emulated && bus.node.defaultChild === undefined && name !== 'default') {
      // The emulator is empty: what exists on AWS is made there, under its name, by the first that uses it.
      const inReach = (Stage.of(this) ?? this.node.root).node.findAll();
      const made = inReach.find((one) => one instanceof CfnEventBus && one.name === name)?.node.scope;
      return (made as EventBus | undefined) ?? new EventBus(this, 'Bus', { eventBusName: name });
    }
    refuseElsewhere(bus, 'bus', Stack.of(this));
    return bus;
  }
}
