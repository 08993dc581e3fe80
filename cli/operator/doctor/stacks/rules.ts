import { GetMetricDataCommand } from '@aws-sdk/client-cloudwatch';
import { ListRulesCommand, type Rule } from '@aws-sdk/client-eventbridge';
import {
  RULE_METRICS,
  shardRuleDescription,
  sumOverRules,
} from '../../../../lib/observability/rule-queries.ts';
import { REST, shardsOf } from '../../../../lib/shards.ts';
import { type Check, judged } from '../check.ts';
import { revertDrift } from '../revert-drift.ts';

/** Whether each event finds a rule: what matches none vanishes. */
export const rules: Check = {
  name: 'rules',
  async run(stage) {
    const { clients, output, settings } = stage;
    const EventBusName = output('pipeline', 'BusName');
    const names = [...shardsOf(settings.shards).map(({ name }) => name), REST];
    const descriptions = names.map((name) => shardRuleDescription(name, settings.name));
    const ours: Rule[] = [];
    let NextToken: string | undefined;
    do {
      const page = await clients.eventBridge.send(new ListRulesCommand({ EventBusName, NextToken }));
      ours.push(...(page.Rules ?? []).filter(({ Description = '' }) => descriptions.includes(Description)));
      ({ NextToken } = page);
    } while (NextToken !== undefined);
    const off = ours.filter(({ State }) => State !== 'ENABLED').map(({ Name }) => `${Name} is off`);
    const count = ours.length === names.length ? [] : [`there are ${ours.length} instead of ${names.length}`];
    return judged(
      [...count, ...off],
      `${ours.length} rules for payment events, all on`,
      `Events that match no rule are lost: enable the rules (aws events enable-rule), or put back what is gone: ${revertDrift(stage, 'pipeline')}`,
    );
  },
};

const MINUTES = 180;

const SENTENCES: Readonly<Record<keyof typeof RULE_METRICS, (count: number) => string>> = {
  lost: (count) => `${count} events reached neither the queue nor the dead letters`,
  failed: (count) => `${count} events were given up`,
};

/**
 * Whether EventBridge gets what rules match onto the queue: it may send, and use the queue's key. After
 * end-to-end it has had to.
 */
export const ruleInvocations: Check = {
  name: 'rule-invocations',
  partOf: [4, 6],
  notEmulated: 'it counts nothing of rules',
  async run({ clients, output }) {
    const busName = output('pipeline', 'BusName');
    const now = Date.now();
    const { MetricDataResults = [] } = await clients.cloudWatch.send(
      new GetMetricDataCommand({
        StartTime: new Date(now - MINUTES * 60_000),
        EndTime: new Date(now),
        MetricDataQueries: Object.entries(RULE_METRICS).map(([Id, metricName]) => ({
          Id,
          Expression: sumOverRules(metricName, busName),
          Period: 300,
        })),
      }),
    );
    const count = (id: string) =>
      (MetricDataResults.find(({ Id }) => Id === id)?.Values ?? []).reduce((sum, value) => sum + value, 0);
    const faults = (['lost', 'failed'] as const).filter((id) => count(id) > 0);
    return judged(
      faults.map((id) => `${SENTENCES[id](count(id))} in the last ${MINUTES / 60} hours`),
      `no event was given up or lost in the last ${MINUTES / 60} hours`,
      `Continue at docs/operations.md#${faults.includes('lost') ? 'events-lost' : 'rule-dead-letters'}`,
    );
  },
};
