import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import type { IAlarm } from 'aws-cdk-lib/aws-cloudwatch';
import { Table } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import { type AddAlarm, runbookAlarm } from '../constructs/runbook-alarm.ts';
import { ServiceFunction } from '../constructs/service-function.ts';
import { alarmTopic } from '../observability/alarm-topic.ts';
import { archiveAlarms } from '../observability/archive-alarms.ts';
import { addDashboard } from '../observability/dashboard/dashboard.ts';
import { deliveryAlarms } from '../observability/delivery-alarms.ts';
import { denialAlarm } from '../observability/denial-alarm.ts';
import { doctorAlarm } from '../observability/doctor-alarm.ts';
import { functionAlarms } from '../observability/function-alarms.ts';
import { instanceAlarms } from '../observability/instance-alarms.ts';
import { partnerAlarms } from '../observability/partner-alarms.ts';
import { queueAlarms } from '../observability/queue-alarms.ts';
import { ruleAlarms } from '../observability/rule-alarms.ts';
import { sweepAlarms } from '../observability/sweep-alarms.ts';
import { tableAlarms } from '../observability/table-alarms.ts';
import { waitingAlarms } from '../observability/waiting-alarms.ts';
import type { Stage } from '../stages.ts';
import type { ApiStack } from './api-stack.ts';
import type { ArchiveStack } from './archive-stack.ts';
import type { DataStack } from './data-stack.ts';
import type { DoctorStack } from './doctor-stack.ts';
import type { PipelineStack } from './pipeline-stack.ts';

interface ObservabilityStackProps extends StackProps {
  readonly stage: Stage;
  readonly data: DataStack;
  readonly pipeline: PipelineStack;
  readonly api: ApiStack;
  /** @default - the stage has none */
  readonly archive: ArchiveStack | undefined;
  readonly doctor: DoctorStack;
}

/** Alarms on everything of ours that can go wrong, the topic that they go to, and the dashboard. */
export class ObservabilityStack extends Stack {
  constructor(scope: Construct, id: string, props: ObservabilityStackProps) {
    super(scope, id, props);
    const { stage, data, pipeline, api, archive, doctor } = props;
    const topic = alarmTopic(this, stage);
    const alarms: IAlarm[] = [];
    const addAlarm: AddAlarm = (alarm) => {
      const made = runbookAlarm(this, { ...alarm, stage, topic });
      alarms.push(made);
      return made;
    };
    const functions = [pipeline, api, doctor, ...(archive === undefined ? [] : [archive])].flatMap((stack) =>
      stack.node.findAll().filter((construct) => construct instanceof ServiceFunction),
    );
    const tables = data.node.findAll().filter((construct) => construct instanceof Table);

    deliveryAlarms(addAlarm, stage);
    queueAlarms(addAlarm, stage, pipeline);
    waitingAlarms(addAlarm, stage);
    sweepAlarms(addAlarm, stage);
    functionAlarms(addAlarm, [
      ...[pipeline.match, pipeline.deliver, pipeline.wake, pipeline.tally],
      ...(archive === undefined ? [] : [archive.archive]),
    ]);
    if (pipeline.instances !== undefined) {
      instanceAlarms(addAlarm, pipeline);
    }
    partnerAlarms(addAlarm, api, pipeline);
    denialAlarm(this, addAlarm, functions);
    // The emulator knows no alarms on queries.
    if (!stage.emulated) {
      ruleAlarms(addAlarm, stage);
      tableAlarms(addAlarm);
    }
    if (archive !== undefined) {
      archiveAlarms(addAlarm, archive);
    }
    if (stage.doctorEvery !== undefined) {
      doctorAlarm(addAlarm, stage.doctorEvery);
    }

    addDashboard(this, { stage, pipeline, functions, tables, alarms });
    new CfnOutput(this, 'AlarmTopicArn', { value: topic.topicArn });
  }
}
