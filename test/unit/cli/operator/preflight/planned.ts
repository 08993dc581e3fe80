import type { PlannedStage } from '../../../../../cli/operator/preflight/expected-stage.ts';
import type { Stage } from '../../../../../lib/app/stage.ts';
import { STAGES } from '../../../../../payhooks.config.ts';

interface Account {
  readonly settings?: Stage;
  readonly region?: string;
  readonly quota?: number;
  readonly unreserved?: number;
  readonly eventsPerSecond?: number;
  /** By the name of the stack. */
  readonly stacks?: Readonly<Record<string, string | undefined>>;
  readonly isBootstrapped?: boolean;
  /** Actions that the deploying role may not do, and whether the organisation says so. */
  readonly denied?: Readonly<Record<string, { readonly byOrganisation: boolean }>>;
  /** Types of resources that CloudFormation of the region does not know. */
  readonly unknownTypes?: readonly string[];
}

interface Input {
  readonly StackName?: string;
  readonly TypeName?: string;
  readonly ActionNames?: readonly string[];
  readonly PolicySourceArn?: string;
}

/** A stage that is to be deployed into such an account; all is well but what a test says. */
export function planned(account: Account = {}): PlannedStage {
  const {
    quota = 1_000,
    unreserved = quota,
    isBootstrapped = true,
    denied = {},
    unknownTypes = [],
  } = account;
  return {
    settings: account.settings ?? STAGES.prod,
    accountId: '111122223333',
    region: account.region ?? 'eu-west-1',
    caller: 'arn:aws:iam::111122223333:user/ada',
    eventsPerSecond: account.eventsPerSecond ?? 100,
    stacks: Object.entries(account.stacks ?? {}).map(([stackName, status]) => ({
      stackName,
      status,
      parts: stackName.endsWith('-pipeline') ? ['pipeline'] : [],
    })),
    clients: {
      lambda: {
        send: async () => ({
          AccountLimit: { ConcurrentExecutions: quota, UnreservedConcurrentExecutions: unreserved },
        }),
      },
      cloudFormation: {
        send: async ({ input: { StackName, TypeName } }: { input: Input }) => {
          if (TypeName !== undefined && unknownTypes.includes(TypeName)) {
            throw Object.assign(new Error('not found'), { name: 'TypeNotFoundException' });
          }
          if (StackName !== undefined && !isBootstrapped) {
            throw new Error(`Stack with id ${StackName} does not exist`);
          }
          return {
            StackResources: [
              { LogicalResourceId: 'CloudFormationExecutionRole', PhysicalResourceId: 'cdk-role' },
            ],
          };
        },
      },
      iam: {
        send: async ({ input: { ActionNames = [] } }: { input: Input }) => ({
          EvaluationResults: ActionNames.map((EvalActionName) => ({
            EvalActionName,
            EvalDecision: denied[EvalActionName] === undefined ? 'allowed' : 'implicitDeny',
            OrganizationsDecisionDetail: {
              AllowedByOrganizations: denied[EvalActionName]?.byOrganisation !== true,
            },
          })),
        }),
      },
    },
  } as unknown as PlannedStage;
}
