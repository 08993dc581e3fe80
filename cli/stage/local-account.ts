/**
 * Credentials for the emulator: it treats an access key of twelve digits as the administrator of that
 * account.
 */
export const LOCAL_ACCOUNT = {
  accountId: '000000000000',
  region: 'eu-west-1',
  credentials: { accessKeyId: '000000000000', secretAccessKey: 'local' },
} as const;

/** Configures an AWS client for the emulator. */
export function clientConfig(endpoint: string) {
  const { region, credentials } = LOCAL_ACCOUNT;
  return { endpoint, region, credentials };
}

/** The same for child processes. */
export function accountEnvironment(endpoint: string) {
  const { region, credentials } = LOCAL_ACCOUNT;
  return {
    AWS_ENDPOINT_URL: endpoint,
    AWS_REGION: region,
    AWS_DEFAULT_REGION: region,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
  };
}
