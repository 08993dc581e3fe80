import type { Conditions } from 'aws-cdk-lib/aws-iam';

/**
 * How people sign in, for `peopleConditions`. IAM Identity Center (`aws sso login`) creates the role, and its
 * sessions carry no MFA claim: such people never meet the second condition. Identity Center itself can
 * require MFA.
 * Sources: "Referencing permission sets in resource policies", AWS IAM Identity Center User Guide; "AWS
 * global condition context keys", AWS IAM User Guide.
 */
export const SIGNED_IN = {
  byIdentityCenter: {
    ArnLike: { 'aws:PrincipalArn': 'arn:*:iam::*:role/aws-reserved/sso.amazonaws.com/*' },
  },
  withMfa: { Bool: { 'aws:MultiFactorAuthPresent': 'true' } },
} as const satisfies Readonly<Record<string, Conditions>>;
