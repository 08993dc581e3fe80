import { IAMClient, paginateListRoles } from '@aws-sdk/client-iam';
import { AssumeRoleCommand, STSClient } from '@aws-sdk/client-sts';
import { accountEnvironment, clientConfig } from '../../../cli/stage/local-account.ts';

/**
 * The configuration of an AWS client that acts as a role of the local stage.
 *
 * @param role its construct id without `Role`: of a function (`Deliver`) or of people (`Analyst`)
 */
export async function configAs(role: string, endpoint: string) {
  const config = clientConfig(endpoint);
  const iam = new IAMClient(config);
  const sts = new STSClient(config);
  try {
    for await (const { Roles = [] } of paginateListRoles({ client: iam }, {})) {
      const found = Roles.find(({ RoleName = '' }) =>
        new RegExp(`^payhooks-local-[a-z-]+-${role}Role`).test(RoleName),
      );
      if (found !== undefined) {
        const { Credentials } = await sts.send(
          new AssumeRoleCommand({ RoleArn: found.Arn, RoleSessionName: 'who-can-read' }),
        );
        const { AccessKeyId = '', SecretAccessKey = '', SessionToken = '' } = Credentials ?? {};
        return {
          ...config,
          credentials: {
            accessKeyId: AccessKeyId,
            secretAccessKey: SecretAccessKey,
            sessionToken: SessionToken,
          },
        };
      }
    }
    throw new Error(`there is no role ${role}`);
  } finally {
    iam.destroy();
    sts.destroy();
  }
}

/** The same for a command that reads its credentials from the environment. */
export async function environmentAs(role: string, endpoint: string): Promise<Record<string, string>> {
  const { credentials } = await configAs(role, endpoint);
  return {
    ...accountEnvironment(endpoint),
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    AWS_SESSION_TOKEN: credentials.sessionToken,
  };
}
