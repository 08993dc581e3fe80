import { type CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import type { Part } from '../../../../lib/recorded-deployment.ts';

export interface StackState {
  readonly stackName: string;
  /** What of the stage it holds. */
  readonly parts: readonly Part[];
  /** As CloudFormation has it; undefined when there is no such stack, or only a plan to make it. */
  readonly status: string | undefined;
  readonly reason?: string | undefined;
}

/** Which stack each part is in. */
export type Layout = Readonly<Partial<Record<Part, { readonly stack: string }>>>;

/** The state of each stack of a stage. */
export async function stackStates(client: CloudFormationClient, layout: Layout): Promise<StackState[]> {
  const byStack = Map.groupBy(
    Object.entries(layout) as [Part, { stack: string }][],
    ([, { stack }]) => stack,
  );
  return Promise.all(
    [...byStack].map(async ([stackName, held]) => ({
      stackName,
      parts: held.map(([part]) => part),
      ...(await stateOf(client, stackName)),
    })),
  );
}

async function stateOf(client: CloudFormationClient, StackName: string) {
  try {
    const { Stacks: [stack] = [] } = await client.send(new DescribeStacksCommand({ StackName }));
    return {
      // A change set that was never executed. The next deployment takes its place.
      status: stack?.StackStatus === 'REVIEW_IN_PROGRESS' ? undefined : stack?.StackStatus,
      reason: stack?.StackStatusReason,
    };
  } catch (error) {
    if (isNoSuchStack(error)) {
      return { status: undefined };
    }
    throw error;
  }
}

/** What is not there is a ValidationError to CloudFormation. */
export function isNoSuchStack(error: unknown): boolean {
  return error instanceof Error && /does not exist/.test(error.message);
}
