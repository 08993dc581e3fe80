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
import { asNagSays } from '../as-nag-says.ts';
import type { ServiceFunction } from './service-function.ts';

/** Something that a new version could have brought about. */
export interface Sign {
  /** Kebab-case; unique in the stack. */
  readonly name: string;
  /** One sentence: what it means. */
  readonly meaning: string;
  /** Of one minute. */
  readonly metric: IMetric;
  /** A minute with more than this is a sign. */
  readonly max: number;
}

interface GradualRolloutProps {
  readonly functions: readonly ServiceFunction[];
  /** Seen while any of the functions rolls out. CodeDeploy takes ten alarms for each, of which one is the function's own. */
  readonly signs: readonly Sign[];
}

/** The period of every alarm here: a canary has ten of them. */
export const SIGN_PERIOD = Duration.minutes(1);

/**
 * Has CodeDeploy give each new version of a function a tenth of the work for ten minutes, then all of it; and none, when an alarm goes off in
 * the meantime. The alarms are made here, not with those that wake people up: a deployment must not name an alarm that a later stack makes,
 * and what a new version does wrong has to show within minutes.
 */
export class GradualRollout extends Construct {
  constructor(scope: Construct, id: string, { functions, signs }: GradualRolloutProps) {
    super(scope, id);
    const { stackName } = Stack.of(this);
    const application = new LambdaApplication(this, 'Application', { applicationName: stackName });
    const role = this.#roleFor(functions);
    const seen = signs.map(({ name, meaning, metric, max }) =>
      this.#alarm(name, `${stackName}-canary-${name}`, { metric, max, meaning }),
    );
    for (const worker of functions) {
      const group = new LambdaDeploymentGroup(this, worker.node.id, {
        application,
        alias: worker.live,
        deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_10MINUTES,
        // Left to itself CDK would add a policy of AWS's that lets it change every alias of the account.
        role: role.withoutPolicyUpdates(),
        alarms: [this.#errorsOfNewVersion(worker), ...seen],
        autoRollback: { failedDeployment: true, stoppedDeployment: true, deploymentInAlarm: true },
      });
      group.node.addDependency(role);
    }
  }

  /** The old version's errors are no reason against the new one: it may be what mends them. */
  #errorsOfNewVersion(worker: ServiceFunction): Alarm {
    const { version } = worker.currentVersion;
    const metric = new Metric({
      namespace: 'AWS/Lambda',
      metricName: 'Errors',
      dimensionsMap: {
        FunctionName: worker.functionName,
        Resource: `${worker.functionName}:${worker.live.aliasName}`,
        ExecutedVersion: version,
      },
      period: SIGN_PERIOD,
      statistic: Stats.SUM,
    });
    const name = worker.node.id.toLowerCase();
    // Named after the version: one that has gone off for the version before must not stand in the way of this one.
    return this.#alarm(`${worker.node.id}Errors`, `${Stack.of(this).stackName}-canary-${name}-${version}`, {
      metric,
      max: 0,
      meaning: `The new version of ${name} fails.`,
    });
  }

  #alarm(id: string, alarmName: string, sign: Pick<Sign, 'metric' | 'max' | 'meaning'>): Alarm {
    return new Alarm(this, id, {
      alarmName,
      alarmDescription: `${sign.meaning} Tells nobody: it ends a canary. See docs/releasing.md.`,
      metric: sign.metric,
      threshold: sign.max,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      evaluationPeriods: 1,
      // Nothing measured is nothing gone wrong.
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
  }

  #roleFor(functions: readonly ServiceFunction[]): Role {
    const stack = Stack.of(this);
    const role = new Role(this, 'Role', {
      description: `Has CodeDeploy roll out the functions of ${stack.stackName}`,
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
      id: `AwsSolutions-IAM5[Resource::arn:${asNagSays(stack.partition, 'Partition')}:cloudwatch:${asNagSays(stack.region, 'Region')}:${asNagSays(stack.account, 'AccountId')}:alarm:*]`,
      reason: 'CloudWatch tells the states of alarms only to whoever may ask for those of all alarms.',
    });
    return role;
  }
}
