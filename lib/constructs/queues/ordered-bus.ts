import { Duration, Stack } from 'aws-cdk-lib';
import { CfnEventBus, CfnSubscriber } from 'aws-cdk-lib/aws-eventsv2';
import { type IGrantable, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { type DataStack, orderedBusNameOf } from '../../stacks/data-stack.ts';
import type { Stage } from '../../stage.ts';

interface OrderedBusProps {
  readonly stage: Stage;
  /** @throws unless it is 1 to 365 */
  readonly retentionDays: number;
  readonly data: DataStack;
  /** A FIFO queue that deduplicates by content. */
  readonly target: Queue;
  /** Gets a record of ids for each failed delivery: the events themselves stay on the bus. */
  readonly deadLetters: Queue;
}

/**
 * A Custom Event Bus, which keeps events in the order of each event group (a payment), and its one
 * subscriber, which sends them to a FIFO queue in that order. Untried on AWS: docs/adr/0028. Sources, all
 * Amazon EventBridge User Guide: "Ordering and deduplicating events on a Custom Event Bus", "Subscribing to
 * events on a Custom Event Bus", "Retry policies and dead-letter queues", "Amazon SQS queue target".
 */
export class OrderedBus extends Construct {
  readonly busArn: string;
  /** What a subscriber that replays takes its target and role from. */
  readonly subscriberArn: string;
  readonly #data: DataStack;

  constructor(scope: Construct, id: string, props: OrderedBusProps) {
    super(scope, id);
    const { stage, retentionDays, data, target, deadLetters } = props;
    refuseWhatCannotBe(stage, retentionDays);
    this.#data = data;
    const name = orderedBusNameOf(stage);
    const { dataKey } = data;

    const bus = new CfnEventBus(this, 'Bus', {
      name,
      description: 'Payment events in the order of each payment',
      storageConfiguration: { retentionPeriodInDays: retentionDays },
      ...(dataKey === undefined ? {} : { encryptionConfiguration: { kmsKeyIdentifier: dataKey.keyArn } }),
    });
    this.busArn = bus.attrEventBusArn;

    const role = this.#deliveryRole(name, [target, deadLetters]);
    data.allowDataKey(role, { queues: 'sending' });
    const subscriber = new CfnSubscriber(this, 'Subscriber', {
      name,
      description: 'Payment events to the events queue, in the order of each payment',
      eventBusArn: this.busArn,
      type: 'FIFO',
      // A replay would bring old events to subscriptions that were not there when they happened.
      startingPosition: 'LATEST',
      invokeConfiguration: {
        targetArn: target.queueArn,
        roleArn: role.roleArn,
        sqsParameters: {
          // SQS refuses an event without a group; such events are taken, and have no order.
          messageGroupId:
            "{% $events.SystemMetadata.EventGroupId ? $events.SystemMetadata.EventGroupId : 'rest' %}",
        },
      },
      // The event as its publisher wrote it. An expression would write it anew, and with it amounts of money.
      transformer: { type: 'RAW' },
      // A batch may fail in part: then a later event of a payment would be ahead.
      batchConfiguration: { maxBatchSize: 1 },
      retryPolicy: {
        maxEventAgeInSeconds: Duration.hours(24).toSeconds(),
        maxRetryAttempts: 185,
      },
      onFailureConfiguration: { arn: deadLetters.queueArn },
    });
    // Otherwise it could deliver before its role may send, and wait.
    subscriber.node.addDependency(role);
    this.subscriberArn = subscriber.attrSubscriberArn;
  }

  /**
   * Only raw events: `PutEvents` wraps an event into an envelope, which match cannot use. The condition key
   * for the event group is in no reference of AWS, so an event without one is not refused here. Source:
   * "Names, endpoints, and IAM permissions for the Custom Event Bus", Amazon EventBridge User Guide.
   */
  grantPublish(publisher: IGrantable): void {
    publisher.grantPrincipal.addToPrincipalPolicy(
      new PolicyStatement({ actions: ['events:PutRawEvents'], resources: [this.busArn] }),
    );
    this.#data.dataKey?.allowPublishing(publisher);
  }

  #deliveryRole(subscriberName: string, queues: readonly Queue[]): Role {
    const { account } = Stack.of(this);
    const role = new Role(this, 'Role', {
      description: 'EventBridge sends events of the ordered bus to the events queue',
      assumedBy: new ServicePrincipal('events.amazonaws.com', {
        conditions: {
          StringEquals: { 'aws:SourceAccount': account },
          ArnLike: {
            // Also a subscriber that replays, whose name begins with this one: docs/operations.md.
            'aws:SourceArn': Stack.of(this).formatArn({
              service: 'events',
              resource: 'subscriber',
              resourceName: `${subscriberName}*`,
            }),
          },
        },
      }),
    });
    for (const queue of queues) {
      queue.grant(role, 'sqs:SendMessage');
    }
    return role;
  }
}

function refuseWhatCannotBe({ name, emulated }: Stage, retentionDays: number): void {
  if (emulated) {
    throw new Error(
      `${name}: the emulator has no Custom Event Bus. Leave out orderedBus (lib/stages.ts); publish by the bus or into the queue`,
    );
  }
  if (!Number.isInteger(retentionDays) || retentionDays < 1 || retentionDays > 365) {
    throw new Error(
      `${name}: the ordered bus keeps events for 1 to 365 whole days, but retentionDays of orderedBus is ${retentionDays} (lib/stages.ts)`,
    );
  }
}
