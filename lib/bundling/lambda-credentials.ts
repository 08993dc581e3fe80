/**
 * Replaces `@aws-sdk/credential-provider-node` in bundles. Lambda sets credentials in the environment and
 * they stay valid as long as it lives; the package's other sources (profiles, SSO, metadata services) only
 * add weight.
 *
 * @throws when the variables are missing; there is no fallback
 */
export const defaultProvider = () => async () => {
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = process.env;
  if (!AWS_ACCESS_KEY_ID || !AWS_SECRET_ACCESS_KEY) {
    throw new Error(
      'AWS credentials are missing from the environment. This bundle runs on Lambda, which sets them.',
    );
  }
  return {
    accessKeyId: AWS_ACCESS_KEY_ID,
    secretAccessKey: AWS_SECRET_ACCESS_KEY,
    sessionToken: AWS_SESSION_TOKEN,
  };
};
