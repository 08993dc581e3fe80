import { CfnOutput, Duration, Stack, type StackProps } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { FunctionUrlAuthType } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { historyTable } from '../../functions/adapters/dynamodb/table-keys.ts';
import { PAYMENTS_SOURCE } from '../../functions/adapters/eventbridge/synthetic-bus.ts';
import type { DoctorEnv } from '../../functions/monitor/doctor/env.ts';
import {
  SCHEDULED_SERVICE,
  SCHEDULED_SUBSCRIPTION,
} from '../../functions/monitor/doctor/own-subscription.ts';
import { SYNTHETIC } from '../../functions/monitor/doctor/synthetic-event.ts';
import { ServiceFunction } from '../constructs/functions/service-function.ts';
import { Every } from '../constructs/queues/every.ts';
import type { Stage } from '../stages.ts';
import type { DataStack } from './data-stack.ts';
import type { PipelineStack } from './pipeline-stack.ts';

interface DoctorStackProps extends StackProps {
  readonly stage: Stage;
  readonly data: DataStack;
  readonly pipeline: PipelineStack;
}

/** Has payments that nobody made go all the way, on a schedule; with a receiver of its own, since a stage need not have any other. */
export class DoctorStack extends Stack {
  readonly syntheticReceiver: ServiceFunction;
  readonly doctor: ServiceFunction;

  constructor(scope: Construct, id: string, props: DoctorStackProps) {
    super(scope, id, props);
    const { stage, data, pipeline } = props;

    // Open to everybody, as receivers of webhooks are; it has nothing, reads nothing and remembers nothing.
    this.syntheticReceiver = new ServiceFunction(this, 'CheckIn', {
      stage,
      name: 'synthetic-receiver',
      description: 'Receives the doctor’s webhooks and answers whether they are well signed',
      timeout: Duration.seconds(5),
      memorySizeMiB: 256,
      reservedConcurrency: stage.concurrency.syntheticReceiver,
      environment: {},
    });
    const url = this.syntheticReceiver.addFunctionUrl({ authType: FunctionUrlAuthType.NONE });

    this.doctor = new ServiceFunction(this, 'Doctor', {
      stage,
      name: 'doctor',
      description: 'Follows a payment that nobody made from the bus to its receiver',
      timeout: Duration.seconds(60),
      memorySizeMiB: 512,
      traced: true,
      environment: {
        BUS_NAME: pipeline.bus.eventBusName,
        SUBSCRIPTIONS_TABLE: data.subscriptions.tableName,
        SIGNING_SECRETS_TABLE: data.signingSecrets.tableName,
        HISTORY_TABLE: data.history.tableName,
        CHECK_IN_URL: url.url,
        DELIVERY_POLICY: JSON.stringify(stage.deliveryPolicy),
      } satisfies DoctorEnv,
    });
    this.#allowOneSubscription(data);
    this.doctor.addToRolePolicy(
      new PolicyStatement({
        actions: ['events:PutEvents'],
        resources: [pipeline.bus.eventBusArn],
        // A publisher's events have another type: nobody takes this role for one without being seen.
        conditions: {
          'ForAllValues:StringEquals': {
            'events:source': PAYMENTS_SOURCE,
            'events:detail-type': SYNTHETIC,
          },
        },
      }),
    );
    if (stage.doctorEvery !== undefined) {
      new Every(this, 'DoctorSchedule', this.doctor, {
        interval: stage.doctorEvery,
        when: `every ${stage.doctorEvery.toHumanString()}`,
        staleAfter: Duration.minutes(1),
      });
    }
    new CfnOutput(this, 'CheckInUrl', { value: url.url });
    new CfnOutput(this, 'DoctorFunctionName', { value: this.doctor.functionName });
  }

  /** It may make one subscription, of a service of its own, and see what became of its messages, without their bodies: nothing of anybody else's. */
  #allowOneSubscription(data: DataStack): void {
    const only = (key: string) => ({ 'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': key } });
    this.doctor.addToRolePolicy(
      new PolicyStatement({
        actions: ['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem'],
        resources: [data.subscriptions.tableArn],
        conditions: only(SCHEDULED_SERVICE),
      }),
    );
    this.doctor.addToRolePolicy(
      new PolicyStatement({
        actions: ['dynamodb:PutItem'],
        resources: [data.signingSecrets.tableArn],
        conditions: {
          ...only(SCHEDULED_SUBSCRIPTION),
          StringEqualsIfExists: { 'dynamodb:ReturnValues': 'NONE' },
        },
      }),
    );
    this.doctor.addToRolePolicy(
      new PolicyStatement({
        actions: ['dynamodb:Query'],
        resources: [`${data.history.tableArn}/index/${historyTable.bySubscription}`],
        conditions: only(SCHEDULED_SUBSCRIPTION),
      }),
    );
    data.allowSecretsKey(this.doctor, 'writing');
    data.allowDataKey(this.doctor, { tables: 'writing' });
  }
}
