import { CfnOutput, Duration, Stack, type StackProps } from 'aws-cdk-lib';
import { FunctionUrlAuthType } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { historyTable } from '../../functions/adapters/dynamodb/table-keys.ts';
import { PAYMENTS_SOURCE } from '../../functions/adapters/eventbridge/synthetic-bus.ts';
import { SYNTHETIC } from '../../functions/core/event/synthetic-event.ts';
import type { DoctorEnv } from '../../functions/monitor/doctor/env.ts';
import {
  SCHEDULED_SERVICE,
  SCHEDULED_SUBSCRIPTION,
} from '../../functions/monitor/doctor/own-subscription.ts';
import { ServiceFunction } from '../constructs/functions/service-function.ts';
import { Every } from '../constructs/queues/every.ts';
import type { Stage } from '../stage.ts';
import type { DataStack } from './data-stack.ts';
import type { PipelineStack } from './pipeline-stack.ts';

interface DoctorStackProps extends StackProps {
  readonly stage: Stage;
  readonly data: DataStack;
  readonly pipeline: PipelineStack;
}

/**
 * Sends synthetic payments through the whole pipeline on a schedule, to a receiver of its own because a stage
 * may have no other.
 */
export class DoctorStack extends Stack {
  readonly syntheticReceiver: ServiceFunction;
  readonly doctor: ServiceFunction;

  constructor(scope: Construct, id: string, props: DoctorStackProps) {
    super(scope, id, props);
    const { stage, data, pipeline } = props;

    // Public, as receivers of webhooks are. It has no permissions and no state.
    this.syntheticReceiver = new ServiceFunction(this, 'CheckIn', {
      stage,
      name: 'synthetic-receiver',
      description: 'Receives the doctor’s webhooks and checks their signatures',
      timeout: Duration.seconds(5),
      memorySizeMiB: 256,
      reservedConcurrency: stage.concurrency.syntheticReceiver,
      environment: {},
    });
    const url = this.syntheticReceiver.addFunctionUrl({ authType: FunctionUrlAuthType.NONE });

    this.doctor = new ServiceFunction(this, 'Doctor', {
      stage,
      name: 'doctor',
      description: 'Follows a synthetic payment from the bus to its receiver',
      timeout: Duration.seconds(60),
      memorySizeMiB: 512,
      traced: true,
      environment: {
        BUS_NAME: pipeline.bus.eventBusName,
        SUBSCRIPTIONS_TABLE: data.subscriptions.tableName,
        SIGNING_SECRETS_TABLE: data.signingSecrets.tableName,
        SIGNING_SECRETS_KEY: data.secretsKeyArn,
        HISTORY_TABLE: data.history.tableName,
        CHECK_IN_URL: url.url,
        DELIVERY_POLICY: JSON.stringify(stage.deliveryPolicy),
      } satisfies DoctorEnv,
    });
    this.#allowOwnSubscription(data);
    this.doctor.allowIf(
      // Publishers' events have another type, so nobody can use this role unnoticed to fake one.
      {
        'ForAllValues:StringEquals': {
          'events:source': PAYMENTS_SOURCE,
          'events:detail-type': SYNTHETIC,
        },
      },
      ['events:PutEvents'],
      pipeline.bus.eventBusArn,
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

  /**
   * It may create one subscription of its own service and read the state of that one's messages, without
   * bodies. Nothing of any other service.
   */
  #allowOwnSubscription(data: DataStack): void {
    const only = (key: string) => ({ 'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': key } });
    this.doctor.allowIf(
      only(SCHEDULED_SERVICE),
      ['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem'],
      data.subscriptions.tableArn,
    );
    this.doctor.allowIf(
      {
        ...only(SCHEDULED_SUBSCRIPTION),
        StringEqualsIfExists: { 'dynamodb:ReturnValues': 'NONE' },
      },
      ['dynamodb:PutItem'],
      data.signingSecrets.tableArn,
    );
    this.doctor.allowIf(
      only(SCHEDULED_SUBSCRIPTION),
      ['dynamodb:Query'],
      `${data.history.tableArn}/index/${historyTable.bySubscription}`,
    );
    data.allowSecretsKey(this.doctor, 'writing');
    data.allowSecrets(this.doctor, 'sealing');
    data.allowDataKey(this.doctor, { tables: 'writing' });
  }
}
