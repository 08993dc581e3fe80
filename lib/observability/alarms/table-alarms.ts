import { Duration } from 'aws-cdk-lib';
import { MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import type { AddAlarm } from './runbook-alarm.ts';

/** The SDK retries: throttled requests at the start of a burst do no harm, however many they are. */
const TOLERATED = 10;

/**
 * DynamoDB's counts, for each table and index. Source: "CloudWatch throttling metrics", Amazon DynamoDB
 * Developer Guide.
 */
const THROTTLED = { reads: 'ReadThrottleEvents', writes: 'WriteThrottleEvents' } as const;

/**
 * Requests that DynamoDB throttled. The query covers all tables of the account and their indexes, also those
 * of other applications, because its conditions support neither "or" nor prefixes. It is billed by the
 * metrics that it finds: none while nothing is throttled.
 * Source: "Query components and syntax in CloudWatch Metrics Insights", Amazon CloudWatch User Guide.
 */
export function tableAlarms(addAlarm: AddAlarm): void {
  for (const [what, metricName] of Object.entries(THROTTLED)) {
    addAlarm({
      name: `${what}-throttled`,
      severity: 'routine',
      section: 'table-throttled',
      meaning: `DynamoDB throttles ${what} of a table, or of one of its indexes.`,
      metric: new MathExpression({
        expression: `SELECT SUM(${metricName}) FROM "AWS/DynamoDB"`,
        label: metricName,
        period: Duration.minutes(5),
      }),
      threshold: TOLERATED,
      evaluationPeriods: 3,
      noDataBecause: 'DynamoDB emits this metric only when it throttles.',
    });
  }
}
