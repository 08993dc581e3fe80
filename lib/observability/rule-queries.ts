/** What EventBridge counts when a rule's target gets nothing; it is silent while that is zero. Source: "Monitoring Amazon EventBridge", Amazon EventBridge User Guide. */
export const RULE_METRICS = {
  /** Put neither on the queue nor among the dead letters: gone. */
  lost: 'InvocationsFailedToBeSentToDlq',
  /** Given up. */
  failed: 'FailedInvocations',
} as const;

/**
 * A metric summed over all rules of a bus. There are seventeen, and an alarm on metric math takes ten metrics. Without SCHEMA every metric with this bus counts,
 * whatever its other dimensions: some may count twice, which matters to nobody who waits for the first.
 * Source: "Metrics Insights query components and syntax", Amazon CloudWatch User Guide.
 */
export function sumOverRules(metricName: string, busName: string): string {
  return `SELECT SUM(${metricName}) FROM "AWS/Events" WHERE EventBusName = '${busName}'`;
}
