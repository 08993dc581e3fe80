import { type Duration, Stack } from 'aws-cdk-lib';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Schedule, ScheduleExpression, TimeWindow } from 'aws-cdk-lib/aws-scheduler';
import { LambdaInvoke } from 'aws-cdk-lib/aws-scheduler-targets';
import { Construct } from 'constructs';
import type { ServiceFunction } from '../functions/service-function.ts';

interface EveryProps {
  readonly interval: Duration;
  /** The interval in words; completes "Runs sweep …". */
  readonly when: string;
  /** A run that is later than this is dropped. */
  readonly staleAfter: Duration;
}

/**
 * Runs a function on a schedule. A failed run is not retried: the next one does its work, and an alarm must
 * detect that none succeeds.
 */
export class Every extends Construct {
  constructor(scope: Construct, id: string, worker: ServiceFunction, props: EveryProps) {
    super(scope, id);
    const role = new Role(this, 'Role', {
      // Source: "Confused deputy prevention in EventBridge Scheduler", EventBridge Scheduler User Guide.
      assumedBy: new ServicePrincipal('scheduler.amazonaws.com', {
        conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } },
      }),
    });
    role.addToPolicy(
      new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [worker.live.functionArn] }),
    );
    const schedule = new Schedule(this, 'Schedule', {
      description: `Runs ${worker.node.id.toLowerCase()} ${props.when}`,
      schedule: ScheduleExpression.rate(props.interval),
      timeWindow: TimeWindow.off(),
      target: new LambdaInvoke(worker.live, {
        // Otherwise the target grants more than the alias `live`.
        role: role.withoutPolicyUpdates(),
        retryAttempts: 0,
        maxEventAge: props.staleAfter,
      }),
    });
    schedule.node.addDependency(role);
    // Scheduler invokes through Lambda's asynchronous queue, which by default retries for six hours.
    worker.live.configureAsyncInvoke({ retryAttempts: 0, maxEventAge: props.staleAfter });
  }
}
