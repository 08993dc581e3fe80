import { Duration, Stack } from 'aws-cdk-lib';
import {
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type IWidget,
  LogQueryVisualizationType,
  LogQueryWidget,
  type Metric,
  Stats,
  TextWidget,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { METRIC } from '../../../functions/telemetry/metric-names.ts';
import type { ServiceFunction } from '../../constructs/functions/service-function.ts';
import { optionFor, stageDeployment } from '../../recorded-deployment.ts';
import type { Settings } from '../../settings.ts';
import { MAX_OF_A_MINUTE } from '../our-metric.ts';
import { cost } from './cost.ts';
import { inTime } from './in-time.ts';
import { axis, type Watched } from './watched.ts';
import { whatWaits } from './what-waits.ts';

/** Known to whoever may look at it before it exists. */
export const dashboardNameOf = ({ name }: Pick<Settings, 'name'>) => `payhooks-${name}`;

/**
 * A deployment at a glance: the questions of somebody who has just been paged, in the order in which they ask
 * them.
 */
export function addDashboard(scope: Construct, watched: Watched): Dashboard {
  const { urgent, routine } = watched.alarms;
  const dashboard = new Dashboard(scope, 'Dashboard', { dashboardName: dashboardNameOf(watched.settings) });
  const section = (question: string, widgets: readonly IWidget[]) => {
    dashboard.addWidgets(new TextWidget({ markdown: `## ${question}`, width: 24, height: 1 }));
    dashboard.addWidgets(...widgets);
  };
  dashboard.addWidgets(
    new AlarmStatusWidget({ title: 'Urgent alarms', alarms: [...urgent], width: 12, height: 6 }),
    new AlarmStatusWidget({ title: 'Alarms that can wait', alarms: [...routine], width: 12, height: 6 }),
  );
  section('Are webhooks going out in time?', inTime(watched));
  section('Who is failing?', whoFails(watched));
  section('What waits where?', whatWaits(watched));
  section('What does it cost?', cost(watched));
  section('Does everything run?', health(watched));
  dashboard.addWidgets(...runbookLinks(watched));
  return dashboard;
}

const SUM = { period: Duration.minutes(1), statistic: Stats.SUM };

/** Does each function run? */
export function health({ functions }: Watched): IWidget[] {
  const graph = (title: string, label: string, metricOf: (each: ServiceFunction) => Metric) =>
    new GraphWidget({
      title,
      left: functions.map((each) => metricOf(each).with({ label: each.shortName })),
      leftYAxis: axis(label),
      width: 8,
    });
  return [
    graph('Errors of functions', 'invocations a minute', (each) => each.metricErrors(SUM)),
    graph('Throttles of functions', 'invocations a minute', (each) => each.metricThrottles(SUM)),
    graph('Workers in use', 'workers', (each) => each.metric('ConcurrentExecutions', MAX_OF_A_MINUTE)),
  ];
}

/**
 * Where to read on. Relative links do not work in the console: the runbook is in the repository that this
 * stage was deployed from.
 */
function runbookLinks({ settings, pipeline }: Watched): IWidget[] {
  const { region } = Stack.of(pipeline);
  const console = `https://${region}.console.aws.amazon.com/cloudwatch/home?region=${region}#`;
  return [
    new TextWidget({
      width: 24,
      height: 4,
      markdown: [
        `**Where to read on.** Each alarm has a section in \`docs/operations.md\` of the repository: what it means, how to look, what to do. The last line of an alarm's description names it.`,
        `If partners are affected, open an incident: \`docs/incident.md\`. Manual operations: \`docs/operations-by-hand.md\`. Check the stage from outside: \`npm run ops -- doctor ${optionFor(stageDeployment(settings.name))}\`.`,
        `[Alarms](${console}alarmsV2:?search=payhooks-${settings.name}) · [log groups](${console}logsV2:log-groups$3FlogGroupNameFilter$3Dpayhooks-${settings.name}) · [Logs Insights](${console}logsV2:logs-insights)`,
      ].join('\n\n'),
    }),
  ];
}

/** A Logs Insights query of deliver's log: the ten subscriptions with the most failed attempts. */
export const FAILING_SUBSCRIPTIONS = [
  'filter message = "delivery.attempted" and outcome != "delivered"',
  'stats count(*) as failed_attempts, count_distinct(payment_id) as payments, latest(outcome) as last_outcome, latest(status_code) as last_status, max(@timestamp) as last_at by service_id, subscription_id',
  'sort failed_attempts desc',
  'limit 10',
];

/** Who is failing? */
function whoFails({ pipeline, ourMetric }: Watched): IWidget[] {
  const ofDeliver = (metricName: string, label: string) => ourMetric('deliver', metricName).with({ label });
  return [
    new LogQueryWidget({
      title: 'Ten subscriptions with the most failed attempts',
      logGroupNames: [pipeline.deliver.logGroup.logGroupName],
      queryLines: FAILING_SUBSCRIPTIONS,
      view: LogQueryVisualizationType.TABLE,
      width: 16,
    }),
    new GraphWidget({
      title: 'Consequences of failures',
      left: [
        ofDeliver(METRIC.circuitTripped, 'circuits opened'),
        ofDeliver(METRIC.subscriptionDisabled, 'subscriptions disabled'),
        ofDeliver(METRIC.messageExhausted, 'messages exhausted'),
        ofDeliver(METRIC.orderingKeyStuck, 'payments that got stuck'),
      ],
      leftYAxis: axis('in five minutes'),
      width: 8,
    }),
  ];
}
