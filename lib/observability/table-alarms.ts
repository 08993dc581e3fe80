import { Duration } from 'aws-cdk-lib';
import { MathExpression, Metric, Stats, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import type { AddAlarm } from '../constructs/runbook-alarm.ts';
import { indexesOf } from './table-metrics.ts';

/** The SDK tries again by itself: a few that are turned away at the start of a burst do no harm. */
const TOLERATED = 10;

/** Requests that DynamoDB turned away for coming too fast, of each table with its indexes. */
export function tableAlarms(addAlarm: AddAlarm, tables: readonly Table[]): void {
  for (const table of tables) {
    const name = table.node.id.replace(/\B[A-Z]/g, '-$&').toLowerCase();
    addAlarm({
      name: `${name}-throttled`,
      section: 'table-throttled',
      meaning: `DynamoDB turns away requests to the table ${table.node.id}, or what it has to write to one of its indexes.`,
      metric: throttledOf(table),
      threshold: TOLERATED,
      missingData: {
        treatedAs: TreatMissingData.NOT_BREACHING,
        because: 'DynamoDB measures only what it turns away.',
      },
    });
  }
}

/** An alarm has ten metrics at most: enough for a table with four indexes. */
function throttledOf(table: Table): MathExpression {
  const places = [{}, ...indexesOf(table).map((GlobalSecondaryIndexName) => ({ GlobalSecondaryIndexName }))];
  const metrics = places.flatMap((place) =>
    ['ReadThrottleEvents', 'WriteThrottleEvents'].map(
      (metricName) =>
        new Metric({
          namespace: 'AWS/DynamoDB',
          metricName,
          dimensionsMap: { TableName: table.tableName, ...place },
          period: Duration.minutes(5),
          statistic: Stats.SUM,
        }),
    ),
  );
  const usingMetrics = Object.fromEntries(metrics.map((metric, index) => [`m${index}`, metric]));
  return new MathExpression({
    // One that was not measured would leave the whole sum without a value.
    expression: Object.keys(usingMetrics)
      .map((id) => `FILL(${id}, 0)`)
      .join(' + '),
    usingMetrics,
    label: 'throttled requests',
    period: Duration.minutes(5),
  });
}
