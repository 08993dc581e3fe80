import { type Dashboard, type IAlarm, MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import { Table } from 'aws-cdk-lib/aws-dynamodb';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { ServiceFunction } from '../constructs/functions/service-function.ts';
import { alarmTopics, type Severity } from '../observability/alarm-topics.ts';
import { deliveryAlarms } from '../observability/alarms/delivery-alarms.ts';
import {
  denialAlarm,
  functionAlarms,
  sweepAlarms,
  tableAlarms,
} from '../observability/alarms/function-alarms.ts';
import { archiveAlarms, noticeAlarms, partnerAlarms } from '../observability/alarms/partner-alarms.ts';
import { queueAlarms, ruleAlarms, waitingAlarms } from '../observability/alarms/queue-alarms.ts';
import { type Alarming, runbookAlarm } from '../observability/alarms/runbook-alarm.ts';
import { doctorAlarm, roundsAlarm, silenceAlarm } from '../observability/alarms/traffic-alarms.ts';
import { budgets } from '../observability/budgets.ts';
import { addDashboard } from '../observability/dashboard/dashboard.ts';
import { metricsOf } from '../observability/our-metric.ts';
import type { Settings } from '../settings.ts';
import type { Api } from './api.ts';
import type { Archive } from './archive.ts';
import type { Data } from './data.ts';
import type { Pipeline } from './pipeline.ts';

interface ObservabilityProps {
  readonly settings: Settings;
  readonly data: Data;
  readonly pipeline: Pipeline;
  readonly api: Api;
  /** @default - the stage has none */
  readonly archive: Archive | undefined;
}

/** Alarms on everything of ours that can fail, their topics, and the dashboard. */
export class Observability extends Construct {
  readonly topics: Readonly<Record<Severity, ITopic>>;
  readonly dashboard: Dashboard;

  constructor(scope: Construct, id: string, props: ObservabilityProps) {
    super(scope, id);
    const { settings, data, pipeline, api, archive } = props;
    const topics = alarmTopics(this, settings);
    this.topics = topics;
    const ourMetric = metricsOf(settings);
    const alarms: Record<Severity, IAlarm[]> = { urgent: [], routine: [] };
    const addAlarm: Alarming['addAlarm'] = (alarm) => {
      // The emulator has no alarms on expressions and queries.
      if (!(settings.emulated && alarm.metric instanceof MathExpression)) {
        const topic = topics[alarm.severity];
        alarms[alarm.severity].push(runbookAlarm(this, { ...alarm, settings, topic }));
      }
    };
    const functions = [pipeline, api, ...(archive === undefined ? [] : [archive])].flatMap((part) =>
      part.node.findAll().filter((construct) => construct instanceof ServiceFunction),
    );
    const alarming: Alarming = { addAlarm, ourMetric };
    const tables = data.node.findAll().filter((construct) => construct instanceof Table);

    deliveryAlarms(alarming, settings, pipeline);
    queueAlarms(alarming, settings, pipeline);
    waitingAlarms(alarming, settings);
    sweepAlarms(alarming, settings);
    functionAlarms(alarming, {
      urgent: [pipeline.match, pipeline.deliver, pipeline.wake],
      routine: [
        pipeline.statistics,
        ...(archive === undefined ? [] : [archive.archive]),
        ...(api.notices === undefined ? [] : [api.notices.notices]),
      ],
    });
    partnerAlarms(alarming, api, pipeline);
    denialAlarm(this, alarming, functions, settings);
    ruleAlarms(alarming, pipeline);
    tableAlarms(alarming);
    roundsAlarm(alarming, data, pipeline);
    silenceAlarm(alarming, settings, pipeline);
    if (archive !== undefined) {
      archiveAlarms(alarming, archive);
    }
    if (api.notices !== undefined) {
      noticeAlarms(alarming, api.notices);
    }
    if (settings.doctorEvery !== undefined) {
      doctorAlarm(alarming, settings.doctorEvery);
    }

    budgets(this, settings, topics.routine);
    this.dashboard = addDashboard(this, { settings, pipeline, ourMetric, functions, tables, alarms });
  }
}
