import { createHash } from 'node:crypto';
import { Stack, Token, TokenComparison } from 'aws-cdk-lib';
import { CfnEventBusPolicy, type IEventBus } from 'aws-cdk-lib/aws-events';
import { Grant, type IGrantable, type IPrincipal, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import type { Settings } from '../settings.ts';
import { EVENT_SOURCE } from '../shards.ts';

/**
 * Lets a principal put payment events on the bus, and nothing else: by its own policy, and by one of the bus
 * where that does not suffice, as for another account.
 */
export function grantPublishing(
  pipeline: Construct & { readonly bus: IEventBus },
  { name, emulated }: Settings,
  grantee: IGrantable,
): Grant {
  const { bus } = pipeline;
  const grant = {
    actions: ['events:PutEvents'],
    // A call holds several entries, so the condition key has several values.
    conditions: { 'ForAllValues:StringEquals': { 'events:source': EVENT_SOURCE } },
  };
  const principal = grantee.grantPrincipal;
  const isHere = isOfAccount(principal, Stack.of(pipeline).account);
  // Where the stack goes is unknown: the CDK would change a role that is in another account, if the two are.
  const granted = isHere
    ? Grant.addToPrincipal({ grantee, resourceArns: [bus.eventBusArn], ...grant })
    : Grant.drop(grantee, 'by the policy of the bus');
  // The emulator knows no policies of buses.
  if (emulated || (granted.success && isHere)) {
    return granted;
  }
  const statement = new PolicyStatement({
    principals: [principal],
    resources: [bus.eventBusArn],
    ...grant,
  }).toStatementJson();
  const text = JSON.stringify(Stack.of(pipeline).resolve(statement.Principal));
  const id = createHash('sha256').update(text).digest('hex').slice(0, 8);
  if (pipeline.node.tryFindChild(`Publisher${id}`) === undefined) {
    new CfnEventBusPolicy(pipeline, `Publisher${id}`, {
      eventBusName: bus.eventBusName,
      // Several constructs may share the bus.
      statementId: `payhooks-${name}-publisher-${id}`,
      statement,
    });
  }
  return granted;
}

/** Like the CDK's own grants: two accounts that are unknown are taken for one, but not one of two. */
function isOfAccount({ principalAccount }: IPrincipal, account: string): boolean {
  return (
    principalAccount === undefined ||
    [TokenComparison.SAME, TokenComparison.BOTH_UNRESOLVED].includes(
      Token.compareStrings(principalAccount, account),
    )
  );
}
