/** Who deploys to the emulator and asks it. It takes a number of twelve digits for the key of that account's administrator. */
export const LOCAL_ACCOUNT = {
  accountId: '000000000000',
  region: 'eu-west-1',
  credentials: { accessKeyId: '000000000000', secretAccessKey: 'local' },
} as const;

/** How an AWS client finds the emulator. */
export function clientConfig(endpoint: string) {
  const { region, credentials } = LOCAL_ACCOUNT;
  return { endpoint, region, credentials };
}

/** The same for programs that are started. */
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
