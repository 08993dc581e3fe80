import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  ResourceNotFoundException,
  type SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';

/** Secrets of AWS Secrets Manager, by their ARNs. */
export const keptSecrets = (client: SecretsManagerClient) => ({
  /** Undefined while it has no value. */
  async read(SecretId: string): Promise<string | undefined> {
    try {
      const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId }));
      return SecretString;
    } catch (error) {
      if (error instanceof ResourceNotFoundException) {
        return undefined;
      }
      throw error;
    }
  },
  async write(SecretId: string, SecretString: string): Promise<void> {
    await client.send(new PutSecretValueCommand({ SecretId, SecretString }));
  },
});
