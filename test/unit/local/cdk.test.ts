import { cdkEnvironment } from '../../../local/cdk.ts';
import { stackLines } from '../../../local/deploy.ts';

test("the user's AWS configuration does not reach the CDK", () => {
  const person = {
    PATH: '/bin',
    AWS_PROFILE: 'production',
    AWS_SESSION_TOKEN: 'x',
    CDK_DEFAULT_ACCOUNT: '1',
  };
  const env = cdkEnvironment(person, '/scratch', 'http://localhost:4566');
  expect(env).toMatchObject({
    AWS_ENDPOINT_URL: 'http://localhost:4566',
    AWS_ACCESS_KEY_ID: '000000000000',
    AWS_REGION: 'eu-west-1',
    AWS_CONFIG_FILE: '/dev/null',
    CDK_DISABLE_CLI_TELEMETRY: 'true',
    CDK_HOME: '/scratch/cdk-home',
  });
  expect(Object.keys(env).filter((name) => Object.hasOwn(person, name))).toEqual(['PATH']);
});

test('a deployed stack prints one line with its duration', () => {
  const lines: string[] = [];
  const hear = stackLines((line) => lines.push(line));
  for (const line of [
    'payhooks-local-api |  17 | CREATE_COMPLETE | AWS::CloudFormation::Stack | payhooks-local-api',
    ' ✅  Api (payhooks-local-api)',
    '✨  Deployment time: 0.17s',
    'Api.ApiUrl = https://6e9dc7bb.execute-api.eu-west-1.amazonaws.com/',
    ' ✅  Shop',
    '✨  Deployment time: 7.8s',
  ]) {
    hear(line);
  }
  expect(lines).toEqual([
    '  payhooks-local-api                 0.2 s',
    '  Shop                               7.8 s',
  ]);
});
