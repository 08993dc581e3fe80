import { Duration, Stack } from 'aws-cdk-lib';
import {
  type IMetric,
  type IWidget,
  MathExpression,
  Metric,
  SingleValueWidget,
  Stats,
  TextWidget,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { CfnTable, Table } from 'aws-cdk-lib/aws-dynamodb';
import type { ServiceFunction } from '../../constructs/functions/service-function.ts';
import { PRICES } from '../../prices.ts';
import { hasMetricsByBus } from '../rule-queries.ts';
import type { Watched } from './watched.ts';

const HOURLY = { period: Duration.hours(1), statistic: Stats.SUM };

/** A metric, and the price of one unit in US dollars. */
type Priced = readonly [metric: IMetric, price: number];

/** What did the last 24 hours cost? */
export function cost({ pipeline, functions, tables }: Watched): IWidget[] {
  const parts = {
    DynamoDB: tables.flatMap(ofTable),
    Lambda: functions.flatMap(ofFunction),
    'SQS, at most': [
      ...[pipeline.events, pipeline.deliveries].flatMap(({ queue }) => ofQueue(queue, PRICES.fifoRequest)),
      ...ofQueue(pipeline.retryTimers.queue, PRICES.standardRequest),
    ],
    ...ofBus(pipeline),
  };
  return [
    new SingleValueWidget({
      title: 'Cost of the last 24 hours, in US dollars',
      metrics: Object.entries(parts).map(([label, priced], index) => dollars(label, `p${index}x`, priced)),
      start: '-PT24H',
      setPeriodToTimeRange: true,
      width: 16,
      height: 4,
    }),
    new TextWidget({
      width: 8,
      height: 4,
      markdown: [
        `List prices of ${PRICES.region}, ${PRICES.asOf}, without free tiers and discounts.`,
        'SQS counts records, not requests. Ten records may share a request, so this figure is up to ten times too high. EventBridge: payment events only.',
        `Not included, because there are no metrics: CloudWatch itself, storage, backups, KMS, the HTTP API, X-Ray, internet traffic. Cost Explorer has the total, by the tags \`project\` and \`stage\`, a day late.`,
      ].join('\n\n'),
    }),
  ];
}

function ofTable(table: Table): Priced[] {
  const { globalSecondaryIndexes } = table.node.defaultChild as CfnTable;
  const indexes: { readonly indexName: string }[] = Stack.of(table).resolve(globalSecondaryIndexes) ?? [];
  const dimensions = [{}, ...indexes.map(({ indexName }) => ({ GlobalSecondaryIndexName: indexName }))];
  const consumed = (metricName: string, dimension: object) =>
    new Metric({
      namespace: 'AWS/DynamoDB',
      metricName,
      dimensionsMap: { TableName: table.tableName, ...dimension },
      ...HOURLY,
    });
  return dimensions.flatMap((dimension): Priced[] => [
    [consumed('ConsumedWriteCapacityUnits', dimension), PRICES.writeUnit],
    [consumed('ConsumedReadCapacityUnits', dimension), PRICES.readUnit],
  ]);
}

function ofFunction(each: ServiceFunction): Priced[] {
  const gigabytes = each.memorySizeMiB / 1_024;
  return [
    [each.metricDuration(HOURLY), (gigabytes / 1_000) * PRICES.lambdaGbSecond],
    [each.metricInvocations(HOURLY), PRICES.lambdaRequest],
  ];
}

function ofQueue(queue: Watched['pipeline']['events']['queue'], price: number): Priced[] {
  return [
    [queue.metricNumberOfMessagesSent(HOURLY), price],
    [queue.metricNumberOfMessagesReceived(HOURLY), price],
    [queue.metricNumberOfMessagesDeleted(HOURLY), price],
    [queue.metricNumberOfEmptyReceives(HOURLY), price],
  ];
}

/**
 * Of `default`, whose metrics are not by bus, what the events queue was sent: its rules', and what publishers
 * send straight there.
 */
function ofBus({ bus, busName, events }: Watched['pipeline']): Readonly<Record<string, Priced[]>> {
  if (!hasMetricsByBus(busName)) {
    return {
      'EventBridge, at most': [[events.queue.metricNumberOfMessagesSent(HOURLY), PRICES.customEvent]],
    };
  }
  const matched = new Metric({
    namespace: 'AWS/Events',
    metricName: 'MatchedEvents',
    dimensionsMap: { EventBusName: bus.eventBusName },
    ...HOURLY,
  });
  return { EventBridge: [[matched, PRICES.customEvent]] };
}

/** A metric without data would leave the sum without a value. */
function dollars(label: string, prefix: string, priced: readonly Priced[]): MathExpression {
  return new MathExpression({
    label,
    expression: priced
      .map(([, price], index) => `FILL(${prefix}${index}, 0) * ${price.toFixed(12)}`)
      .join(' + '),
    usingMetrics: Object.fromEntries(priced.map(([metric], index) => [`${prefix}${index}`, metric])),
    period: HOURLY.period,
  });
}
