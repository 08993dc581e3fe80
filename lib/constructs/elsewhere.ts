import { type IResource, type Stack, Token, TokenComparison } from 'aws-cdk-lib';

/**
 * What a stack uses has to be in its account and region, as far as both are known.
 *
 * @param what such as `bus`; the message names it
 * @throws when it is not
 */
export function refuseElsewhere(
  { env }: IResource,
  what: string,
  stack: Stack,
  same: readonly ('account' | 'region')[] = ['account', 'region'],
): void {
  const [there, here] = [
    { account: env.account, region: env.region },
    { account: stack.account, region: stack.region },
  ];
  for (const place of same) {
    if (Token.compareStrings(there[place], here[place]) === TokenComparison.DIFFERENT) {
      throw new Error(
        `the ${what} is in ${place} ${there[place]}, but ${stack.node.path || 'the stack'} goes to ${here[place]}: give Payhooks a ${what} of the same ${same.join(' and ')}`,
      );
    }
  }
}
