import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import type { Settings } from '../settings.ts';

/** A day may cost this share of a month: three times an even one. */
const OF_A_MONTH = 0.1;

/**
 * Watches the bill: by the month, also as AWS forecasts it, and by the day, which shows within a day or so
 * what goes round. AWS makes two budgets free of charge.
 */
export function budgets(scope: Construct, { name, budget }: Settings, topic: ITopic): void {
  if (budget === undefined) {
    return;
  }
  const filtered =
    budget.counts === 'account'
      ? {}
      : { costFilters: { TagKeyValue: [`user:project$payhooks`, `user:stage$${name}`] } };
  const over = (notificationType: 'ACTUAL' | 'FORECASTED') => ({
    notification: {
      notificationType,
      comparisonOperator: 'GREATER_THAN',
      threshold: 100,
      thresholdType: 'PERCENTAGE',
    },
    subscribers: [{ subscriptionType: 'SNS', address: topic.topicArn }],
  });
  const make = (timeUnit: 'MONTHLY' | 'DAILY', amount: number, notifications: ReturnType<typeof over>[]) =>
    new CfnBudget(scope, `${timeUnit === 'DAILY' ? 'Daily' : 'Monthly'}Budget`, {
      budget: {
        budgetName: `payhooks-${name}-${timeUnit.toLowerCase()}`,
        budgetType: 'COST',
        timeUnit,
        budgetLimit: { amount, unit: 'USD' },
        ...filtered,
      },
      notificationsWithSubscribers: notifications,
    });
  make('MONTHLY', budget.monthlyUsd, [over('ACTUAL'), over('FORECASTED')]);
  // AWS forecasts no days.
  make('DAILY', budget.monthlyUsd * OF_A_MONTH, [over('ACTUAL')]);
}
