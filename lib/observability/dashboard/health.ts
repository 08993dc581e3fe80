import { Duration, Stack } from 'aws-cdk-lib';
import { GraphWidget, type IWidget, type Metric, Stats, TextWidget } from 'aws-cdk-lib/aws-cloudwatch';
import type { ServiceFunction } from '../../constructs/functions/service-function.ts';
import { optionFor, stageDeployment } from '../../recorded-deployment.ts';
import { MAX_OF_A_MINUTE } from '../our-metric.ts';
import { axis, type Watched } from './watched.ts';

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
export function runbookLinks({ settings, pipeline }: Watched): IWidget[] {
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
