import { Duration } from 'aws-cdk-lib';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { stages } from './lib/app/stage.ts';
import { SIGNED_IN } from './lib/constructs/signed-in.ts';

/**
 * The stages that our own app deploys with `-c stage=NAME`. Add one by its name; lib/payhooks-props.ts has all
 * settings with their defaults.
 */
export const STAGES = stages({
  local: {
    emulated: true,
    env: { account: '000000000000', region: 'eu-west-1' },
    loadLab: true,
    validate: 'mark',
    // The mails lie in .local/mails.
    notices: { sender: 'Payhooks <webhooks@payhooks.example>' },
  },
  dev: {
    keepsData: false,
    loadLab: true,
    archive: { retention: Duration.days(30) },
    doctorEvery: Duration.hours(1),
    // Twice a month with a million webhooks: docs/cost.md.
    budget: { monthlyUsd: 52, counts: 'account' },
  },
  prod: {
    logRetention: RetentionDays.SIX_MONTHS,
    shards: 64,
    concurrency: { match: 65, deliver: 500, wake: 100, statistics: 50, reserved: true },
    archive: { retention: Duration.days(400) },
    rollout: 'canary',
    doctorEvery: Duration.minutes(5),
    // Twice a month with ten million webhooks: docs/cost.md.
    budget: { monthlyUsd: 260, counts: 'account' },
    peopleConditions: [SIGNED_IN.byIdentityCenter, SIGNED_IN.withMfa],
    console: { careful: true },
  },
});
