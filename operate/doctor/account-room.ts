import { GetAccountSettingsCommand } from '@aws-sdk/client-lambda';
import { type Check, failed, ok, warning } from './check.ts';

/** Lambda insists on it. */
const UNRESERVED = 100;

/** Whether the account lets the workers work: its quota holds for all functions in the region together. */
export const accountRoom: Check = {
  name: 'account-room',
  items: [17],
  notEmulated: 'it has no quotas',
  async run({ clients, settings: { concurrency } }) {
    const { AccountLimit } = await clients.lambda.send(new GetAccountSettingsCommand());
    const { ConcurrentExecutions: quota = 0, UnreservedConcurrentExecutions: unreserved = 0 } =
      AccountLimit ?? {};
    const { match, deliver, wake, sweep, tally, checkIn, reserved } = concurrency;
    const wanted = match + deliver + wake + sweep + tally + checkIn;
    const seen = `${quota} at a time, ${unreserved} of them not reserved; the workers want ${wanted}`;
    if (quota >= wanted + UNRESERVED) {
      return ok(seen);
    }
    const todo = 'Ask for more: aws service-quotas request-service-quota-increase, lambda, L-B99A9384.';
    return reserved
      ? failed(seen, `${todo} Until then set reserved: false in lib/stages.ts.`)
      : warning(seen, todo);
  },
};
