/**
 * EventBridge's metrics for events that a rule's target did not get. There is no data while they are zero.
 * Source: "Monitoring Amazon EventBridge", Amazon EventBridge User Guide.
 */
export const RULE_METRICS = {
  /** Reached neither the queue nor the dead-letter queue: lost. */
  lost: 'InvocationsFailedToBeSentToDlq',
  /** Permanently failed. */
  failed: 'FailedInvocations',
} as const;

/**
 * Sums a metric over all rules of a bus: there are dozens, and metric math in an alarm takes ten metrics.
 * Without SCHEMA every metric of this bus counts, whatever its other dimensions. Some may count twice, which
 * does not matter to an alarm with threshold 0.
 * Source: "Metrics Insights query components and syntax", Amazon CloudWatch User Guide.
 */
export function sumOverRules(metricName: string, busName: string): string {
  return `SELECT SUM(${metricName}) FROM "AWS/Events" WHERE EventBusName = '${busName}'`;
}
