import { Duration, Stack, Validations } from 'aws-cdk-lib';
import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  Metric,
  Stats,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { cdkNagValue } from '../cdk-nag-value.ts';
import type { ServiceFunction } from './service-function.ts';

/** A failure that a new version may have caused. */
export interface RolloutAlarm {
  /** Kebab-case; unique in the stack. */
  readonly name: string;
  /** One sentence: what it means. */
  readonly meaning: string;
  /** With a period of one minute. */
  readonly metric: IMetric;
  /** The alarm goes off above this. */
  readonly max: number;
}

interface GradualRolloutProps {
  /** Of the application; those of the alarms begin with it. */
  readonly name: string;
  readonly functions: readonly ServiceFunction[];
  /**
   * Watched while any of the functions rolls out. CodeDeploy takes ten alarms per function, one of which is
   * for its own errors.
   */
  readonly alarms: readonly RolloutAlarm[];
}

/** Of invocations. One in a thousand may be a worker that Lambda lost; with less traffic, one is too many. */
const TOLERATED_ERRORS = 0.001;

/** The period of each alarm here: a canary lasts ten of them. */
export const ROLLOUT_ALARM_PERIOD = Duration.minutes(1);

/**
 * Rolls out each new version with CodeDeploy: a tenth of the work for ten minutes, then all of it. An alarm
 * in the meantime rolls it back. These alarms are separate from the ones that page people: a deployment
 * cannot refer to an alarm of a later stack, and a canary has to fail within minutes.
 */
export class GradualRollout extends Construct {
  constructor(scope: Construct, id: string, { name: prefix, functions, alarms }: GradualRolloutProps) {
    super(scope, id);
    const application = new LambdaApplication(this, 'Application', { applicationName: prefix });
    const role = this.#roleFor(functions, prefix);
    const shared = alarms.map(({ name, meaning, metric, max }) =>
      this.#alarm(name, `${prefix}-canary-${name}`, { metric, max, meaning }),
    );
    for (const worker of functions) {
      const group = new LambdaDeploymentGroup(this, worker.node.id, {
        application,
        alias: worker.live,
        deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_10MINUTES,
        // Otherwise CDK attaches an AWS policy that may change every alias of the account.
        role: role.withoutPolicyUpdates(),
        alarms: [this.#errorsOfNewVersion(worker, prefix), ...shared],
        autoRollback: { failedDeployment: true, stoppedDeployment: true, deploymentInAlarm: true },
      });
      group.node.addDependency(role);
    }
  }

  /** Counts errors of the new version only: it may be the one that fixes the old version's errors. */
  #errorsOfNewVersion(worker: ServiceFunction, prefix: string): Alarm {
    const { version } = worker.currentVersion;
    const metric = new Metric({
      namespace: 'AWS/Lambda',
      metricName: 'Errors',
      dimensionsMap: {
        FunctionName: worker.functionName,
        Resource: `${worker.functionName}:${worker.live.aliasName}`,
        ExecutedVersion: version,
      },
      period: ROLLOUT_ALARM_PERIOD,
      // The share of invocations that fail: Lambda writes 0 or 1 for each.
      statistic: Stats.AVERAGE,
    });
    const name = worker.node.id.toLowerCase();
    // Named after the version, so that an alarm raised by an earlier version does not block this one.
    return this.#alarm(`${worker.node.id}Errors`, `${prefix}-canary-${name}-${version}`, {
      metric,
      max: TOLERATED_ERRORS,
      meaning: `The new version of ${name} fails.`,
    });
  }

  #alarm(id: string, alarmName: string, alarm: Pick<RolloutAlarm, 'metric' | 'max' | 'meaning'>): Alarm {
    return new Alarm(this, id, {
      alarmName,
      alarmDescription: `${alarm.meaning} Rolls back a canary and notifies nobody. See docs/releasing.md.`,
      metric: alarm.metric,
      threshold: alarm.max,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      evaluationPeriods: 1,
      // No data means nothing went wrong.
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
  }

  #roleFor(functions: readonly ServiceFunction[], prefix: string): Role {
    const stack = Stack.of(this);
    const role = new Role(this, 'Role', {
      description: `Lets CodeDeploy roll out the functions of ${prefix}`,
      // Source: "Cross-service confused deputy prevention", AWS CodeDeploy User Guide.
      assumedBy: new ServicePrincipal('codedeploy.amazonaws.com', {
        conditions: { StringEquals: { 'aws:SourceAccount': stack.account } },
      }),
    });
    role.addToPolicy(
      new PolicyStatement({
        actions: ['lambda:GetAlias', 'lambda:UpdateAlias', 'lambda:GetProvisionedConcurrencyConfig'],
        resources: functions.flatMap((worker) => [
          worker.functionArn,
          `${worker.functionArn}:${worker.live.aliasName}`,
        ]),
      }),
    );
    role.addToPolicy(
      new PolicyStatement({
        actions: ['cloudwatch:DescribeAlarms'],
        resources: [stack.formatArn({ service: 'cloudwatch', resource: 'alarm:*' })],
      }),
    );
    Validations.of(role).acknowledge({
      id: `AwsSolutions-IAM5[Resource::arn:${cdkNagValue(stack.partition, 'Partition')}:cloudwatch:${cdkNagValue(stack.region, 'Region')}:${cdkNagValue(stack.account, 'AccountId')}:alarm:*]`,
      reason: 'CloudWatch grants alarm states for all alarms or none.',
    });
    return role;
  }
}
