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
 * Of the account's own bus, neither the ARNs of rules nor their metrics have the name.
 * Source: "Actions, resources, and condition keys for Amazon EventBridge", Service Authorization Reference;
 * "Monitoring Amazon EventBridge", Amazon EventBridge User Guide.
 */
const DEFAULT_BUS = 'default';

export const hasMetricsByBus = (busName: string) => busName !== DEFAULT_BUS;

/** How the ARNs of all rules of a bus end, after `rule/`; of `default`, of all in the account. */
export function rulesOfBus(busName: string): string {
  return busName === DEFAULT_BUS ? '*' : `${busName}/*`;
}

/**
 * Sums a metric over all rules of a bus: there are dozens, and metric math in an alarm takes ten metrics.
 * Without SCHEMA every metric of this bus counts, whatever its other dimensions. Some may count twice, which
 * does not matter to an alarm with threshold 0.
 * Source: "Metrics Insights query components and syntax", Amazon CloudWatch User Guide.
 */
export function sumOverRules(metricName: string, busName: string): string {
  return busName === DEFAULT_BUS
    ? `SELECT SUM(${metricName}) FROM SCHEMA("AWS/Events", RuleName)`
    : `SELECT SUM(${metricName}) FROM "AWS/Events" WHERE EventBusName = '${busName}'`;
}

/** By which the doctor knows ours: others, also of other deployments, may be on the bus. */
export function shardRuleDescription(shard: string, deployment: string): string {
  return `Payment events of ${shard} to the events queue of ${deployment}`;
}
