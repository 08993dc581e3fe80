import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import { type IAlarm, MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import { Table } from 'aws-cdk-lib/aws-dynamodb';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import { ServiceFunction } from '../constructs/functions/service-function.ts';
import { alarmTopics, type Severity } from '../observability/alarm-topics.ts';
import { deliveryAlarms } from '../observability/alarms/delivery-alarms.ts';
import {
  denialAlarm,
  functionAlarms,
  sweepAlarms,
  tableAlarms,
} from '../observability/alarms/function-alarms.ts';
import { archiveAlarms, partnerAlarms } from '../observability/alarms/partner-alarms.ts';
import { queueAlarms, ruleAlarms, waitingAlarms } from '../observability/alarms/queue-alarms.ts';
import { type AddAlarm, runbookAlarm } from '../observability/alarms/runbook-alarm.ts';
import { doctorAlarm, roundsAlarm, silenceAlarm } from '../observability/alarms/traffic-alarms.ts';
import { budgets } from '../observability/budgets.ts';
import { addDashboard } from '../observability/dashboard/dashboard.ts';
import type { Stage } from '../stage.ts';
import type { ApiStack } from './api-stack.ts';
import type { ArchiveStack } from './archive-stack.ts';
import type { DataStack } from './data-stack.ts';
import type { PipelineStack } from './pipeline-stack.ts';

interface ObservabilityStackProps extends StackProps {
  readonly stage: Stage;
  readonly data: DataStack;
  readonly pipeline: PipelineStack;
  readonly api: ApiStack;
  /** @default - the stage has none */
  readonly archive: ArchiveStack | undefined;
}

/** Alarms on everything of ours that can fail, their topics, and the dashboard. */
export class ObservabilityStack extends Stack {
  readonly topics: Readonly<Record<Severity, ITopic>>;

  constructor(scope: Construct, id: string, props: ObservabilityStackProps) {
    super(scope, id, props);
    const { stage, data, pipeline, api, archive } = props;
    const topics = alarmTopics(this, stage);
    this.topics = topics;
    const alarms: Record<Severity, IAlarm[]> = { urgent: [], routine: [] };
    const addAlarm: AddAlarm = (alarm) => {
      // The emulator has no alarms on expressions and queries.
      if (!(stage.emulated && alarm.metric instanceof MathExpression)) {
        const topic = topics[alarm.severity];
        alarms[alarm.severity].push(runbookAlarm(this, { ...alarm, stage, topic }));
      }
    };
    const functions = [pipeline, api, ...(archive === undefined ? [] : [archive])].flatMap((stack) =>
      stack.node.findAll().filter((construct) => construct instanceof ServiceFunction),
    );
    const tables = data.node.findAll().filter((construct) => construct instanceof Table);

    deliveryAlarms(addAlarm, stage, pipeline);
    queueAlarms(addAlarm, stage, pipeline);
    waitingAlarms(addAlarm, stage);
    sweepAlarms(addAlarm, stage);
    functionAlarms(addAlarm, {
      urgent: [pipeline.match, pipeline.deliver, pipeline.wake],
      routine: [pipeline.statistics, ...(archive === undefined ? [] : [archive.archive])],
    });
    partnerAlarms(addAlarm, api, pipeline);
    denialAlarm(this, addAlarm, functions);
    ruleAlarms(addAlarm, stage);
    tableAlarms(addAlarm);
    roundsAlarm(addAlarm, data, pipeline);
    silenceAlarm(addAlarm, stage, pipeline);
    if (archive !== undefined) {
      archiveAlarms(addAlarm, archive);
    }
    if (stage.doctorEvery !== undefined) {
      doctorAlarm(addAlarm, stage.doctorEvery);
    }

    budgets(this, stage, topics.routine);
    addDashboard(this, { stage, pipeline, functions, tables, alarms });
    new CfnOutput(this, 'UrgentAlarmTopicArn', { value: topics.urgent.topicArn });
    new CfnOutput(this, 'RoutineAlarmTopicArn', { value: topics.routine.topicArn });
  }
}
