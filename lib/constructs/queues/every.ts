import { type Duration, Stack } from 'aws-cdk-lib';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Schedule, ScheduleExpression, TimeWindow } from 'aws-cdk-lib/aws-scheduler';
import { LambdaInvoke } from 'aws-cdk-lib/aws-scheduler-targets';
import { Construct } from 'constructs';
import type { ServiceFunction } from '../functions/service-function.ts';

interface EveryProps {
  readonly interval: Duration;
  /** How the interval is called among people: ends the sentence "Runs sweep …". */
  readonly when: string;
  /** A run that is so late is left out. */
  readonly staleAfter: Duration;
}

/** Runs a function again and again. A run that fails is not repeated: the next one does its work, and an alarm has to notice that none succeeds. */
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
        // Left to itself the target would allow more than what is live.
        role: role.withoutPolicyUpdates(),
        retryAttempts: 0,
        maxEventAge: props.staleAfter,
      }),
    });
    schedule.node.addDependency(role);
    // Scheduler hands over to Lambda's own queue, which by itself would repeat for six hours.
    worker.live.configureAsyncInvoke({ retryAttempts: 0, maxEventAge: props.staleAfter });
  }
}
