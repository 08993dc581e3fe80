import { Names, Stack } from 'aws-cdk-lib';
import { type IRole, Policy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';

/**
 * All inline policies of a role together, in characters without blanks.
 * Source: "IAM and AWS STS quotas", AWS Identity and Access Management User Guide.
 */
const MAX_POLICIES = 10_240;
/** What the function may do besides, and the frame of a policy for each of up to four stacks. */
const OTHERS = 1_600;
/** Of an ARN, beside the name that CloudFormation makes of the logical id: partition, region, account, suffixes. */
const OF_ARN = 90;

/** Lets the function that declares subscriptions read and write the secrets of those in a stack. */
export class KeptSecrets {
  readonly #role: IRole;
  readonly #byStack = new Map<Stack, { readonly policy: Policy; readonly statement: PolicyStatement }>();
  #count = 0;
  #characters = OTHERS;

  constructor(role: IRole) {
    this.#role = role;
  }

  /**
   * In a policy of the secret's stack: that of the role must not depend on it.
   *
   * @throws when the role cannot name any more
   */
  allow(secret: Construct, arn: string): Policy {
    this.#count += 1;
    this.#characters += OF_ARN + Names.uniqueId(secret).length;
    if (this.#characters > MAX_POLICIES) {
      throw new Error(
        `${secret.node.path}: there is no room for the secrets of ${this.#count} WebhookSubscriptions: IAM takes ${MAX_POLICIES} characters of policies for a role. Create further subscriptions by the API; adopt those that are to be managed here, for which no secret is made.`,
      );
    }
    const stack = Stack.of(secret);
    const { policy, statement } = this.#byStack.get(stack) ?? this.#policyIn(stack);
    statement.addResources(arn);
    return policy;
  }

  #policyIn(stack: Stack) {
    const statement = new PolicyStatement({
      actions: ['secretsmanager:GetSecretValue', 'secretsmanager:PutSecretValue'],
    });
    const policy = new Policy(stack, `KeepsSecrets${this.#role.node.addr.slice(0, 8)}`, {
      roles: [this.#role],
      statements: [statement],
    });
    const made = { policy, statement };
    this.#byStack.set(stack, made);
    return made;
  }
}
