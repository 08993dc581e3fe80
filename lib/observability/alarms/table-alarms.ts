import { Duration } from 'aws-cdk-lib';
import { MathExpression, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import type { AddAlarm } from './runbook-alarm.ts';

/** The SDK tries again by itself: a few that are turned away at the start of a burst do no harm. */
const TOLERATED = 10;

/** As DynamoDB counts them, of each table and each index. Source: "CloudWatch throttling metrics", Amazon DynamoDB Developer Guide. */
const TURNED_AWAY = { reads: 'ReadThrottleEvents', writes: 'WriteThrottleEvents' } as const;

/**
 * Requests that DynamoDB turned away for coming too fast. A query over all tables of the account with their indexes, those of other programs too: its
 * conditions know no "or" and no beginnings of names. It is charged by the metrics that it finds, of which there are none while nothing is turned away.
 * Source: "Query components and syntax in CloudWatch Metrics Insights", Amazon CloudWatch User Guide.
 */
export function tableAlarms(addAlarm: AddAlarm): void {
  for (const [what, metricName] of Object.entries(TURNED_AWAY)) {
    addAlarm({
      name: `${what}-throttled`,
      section: 'table-throttled',
      meaning: `DynamoDB turns away ${what} of a table, or of one of its indexes.`,
      metric: new MathExpression({
        expression: `SELECT SUM(${metricName}) FROM "AWS/DynamoDB"`,
        label: metricName,
        period: Duration.minutes(5),
      }),
      threshold: TOLERATED,
      missingData: {
        treatedAs: TreatMissingData.NOT_BREACHING,
        because: 'DynamoDB measures only what it turns away.',
      },
    });
  }
}
