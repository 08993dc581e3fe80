/**
 * Stands in for `@aws-sdk/credential-provider-node` inside the bundles: Lambda has a function's credentials in its environment, for as long
 * as the environment lives, so the other places where that package looks (profiles, sign-on, metadata services) only weigh.
 *
 * @throws when they are not there: nothing else is asked
 */
export const defaultProvider = () => async () => {
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = process.env;
  if (!AWS_ACCESS_KEY_ID || !AWS_SECRET_ACCESS_KEY) {
    throw new Error('no credentials in the environment; this bundle is made for Lambda, which sets them');
  }
  return {
    accessKeyId: AWS_ACCESS_KEY_ID,
    secretAccessKey: AWS_SECRET_ACCESS_KEY,
    sessionToken: AWS_SESSION_TOKEN,
  };
};
