import type { Stack } from 'aws-cdk-lib';
import { AccountRootPrincipal, ArnPrincipal, PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Settings } from '../../settings.ts';

/** Without `kms:CreateGrant`, which would let an administrator give the use of a key away. */
const ADMINISTRATION = [
  ...['kms:DescribeKey', 'kms:GetKeyPolicy', 'kms:GetKeyRotationStatus'],
  ...['kms:ListAliases', 'kms:ListGrants', 'kms:ListKeyPolicies', 'kms:ListKeyRotations'],
  ...['kms:ListResourceTags', 'kms:TagResource', 'kms:UntagResource', 'kms:UpdateKeyDescription'],
  ...['kms:PutKeyPolicy', 'kms:RevokeGrant', 'kms:CreateAlias', 'kms:UpdateAlias', 'kms:DeleteAlias'],
  ...['kms:EnableKey', 'kms:DisableKey', 'kms:ScheduleKeyDeletion', 'kms:CancelKeyDeletion'],
  ...['kms:EnableKeyRotation', 'kms:DisableKeyRotation', 'kms:RotateKeyOnDemand'],
];

/** What a service needs of its caller, and DynamoDB of whoever makes a table (`kms:CreateGrant`). */
const USE = [
  ...['kms:DescribeKey', 'kms:CreateGrant', 'kms:Encrypt', 'kms:Decrypt', 'kms:ReEncryptFrom'],
  ...['kms:ReEncryptTo', 'kms:GenerateDataKey', 'kms:GenerateDataKeyWithoutPlaintext'],
];

const SERVICES = ['dynamodb', 'sqs', 's3', 'events'];

/** A member of the context under which `functions/adapters/kms` seals. */
const SEALED_FOR = 'kms:EncryptionContext:subscription_id';

/**
 * Leaves to IAM who administers a key (or to the stage's setting), who uses it through a service, and who
 * seals and opens secrets. Nothing else is left to it: a policy that allows `kms:Decrypt` on every key of the
 * account passes no other ciphertext to KMS. AWS's default leaves everything.
 * Source: "Key policies in AWS KMS" and "kms:ViaService", AWS KMS Developer Guide.
 */
export function keyPolicy(
  stack: Stack,
  { keyAdministrators }: Pick<Settings, 'keyAdministrators'>,
  { seals }: { readonly seals: boolean },
): PolicyDocument {
  const account = new AccountRootPrincipal();
  const statement = (sid: string, given: ConstructorParameters<typeof PolicyStatement>[0]) =>
    new PolicyStatement({ sid, principals: [account], resources: ['*'], ...given });
  const rootUser = stack.formatArn({ service: 'iam', region: '', resource: 'root' });
  return new PolicyDocument({
    statements: [
      ...(keyAdministrators === undefined
        ? [statement('Administration', { actions: ADMINISTRATION })]
        : [
            statement('Administration', {
              actions: ADMINISTRATION,
              principals: keyAdministrators.map((arn) => new ArnPrincipal(arn)),
            }),
            statement('AdministrationByTheRootUser', {
              actions: ADMINISTRATION,
              conditions: { ArnEquals: { 'aws:PrincipalArn': rootUser } },
            }),
            statement('Looking', { actions: ['kms:DescribeKey'] }),
          ]),
      statement('UseThroughServices', {
        actions: USE,
        conditions: {
          StringEquals: {
            'kms:ViaService': SERVICES.map((service) => `${service}.${stack.region}.amazonaws.com`),
          },
        },
      }),
      ...(seals
        ? [
            statement('SealedSecrets', {
              actions: ['kms:GenerateDataKey', 'kms:Decrypt'],
              conditions: { Null: { [SEALED_FOR]: 'false' } },
            }),
          ]
        : []),
    ],
  });
}
