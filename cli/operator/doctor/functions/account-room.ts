import { GetAccountSettingsCommand } from '@aws-sdk/client-lambda';
import { maxWorkersOf } from '../../../../lib/pollers.ts';
import type { DeploymentSettings } from '../../../../lib/recorded-deployment.ts';
import { type Check, failed, ok, warning } from '../check.ts';
import type { StageInAccount } from '../examined-stage.ts';

type Settings = Pick<DeploymentSettings, 'name' | 'emulated' | 'concurrency' | 'pollers'>;

/** Lambda keeps this many unreserved. */
const UNRESERVED = 100;

/**
 * The quota of an account by default, and so the least to request. Source: "Lambda quotas", AWS Lambda
 * Developer Guide.
 */
const BY_DEFAULT = 1_000;

/**
 * Whether the account has room for the workers: all functions of a region share its quota, less what others
 * reserved.
 */
export const accountRoom: Check<StageInAccount<Settings>> = {
  name: 'account-room',
  partOf: [1],
  notEmulated: 'it has no quotas',
  async run({ clients, region, stacks, settings }) {
    const { AccountLimit } = await clients.lambda.send(new GetAccountSettingsCommand());
    const { ConcurrentExecutions: quota = 0, UnreservedConcurrentExecutions: unreserved = 0 } =
      AccountLimit ?? {};
    const { wake, sweep, statistics, syntheticReceiver, reserved } = settings.concurrency;
    const wanted =
      maxWorkersOf(settings, 'match') +
      maxWorkersOf(settings, 'deliver') +
      wake +
      sweep +
      statistics +
      syntheticReceiver;
    // The workers of a deployed stage are among the reserved executions.
    const isThere = stacks.some(({ parts, status }) => parts.includes('pipeline') && status !== undefined);
    const room = isThere ? quota : unreserved;
    const seen = `${quota} at a time, ${unreserved} of them not reserved; the workers want ${wanted}`;
    if (room >= wanted + UNRESERVED) {
      return ok(seen);
    }
    const needed = wanted + UNRESERVED + (quota - room);
    const todo = `Ask for more: ${asking(region, Math.max(BY_DEFAULT, Math.ceil(needed / 100) * 100))}`;
    return reserved
      ? failed(
          seen,
          todo,
          `Until it is granted set reserved: false for ${settings.name} in payhooks.config.ts.`,
        )
      : warning(seen, todo);
  },
};

function asking(region: string, desired: number): string {
  return `aws service-quotas request-service-quota-increase --service-code lambda --quota-code L-B99A9384 --desired-value ${desired} --region ${region}`;
}
