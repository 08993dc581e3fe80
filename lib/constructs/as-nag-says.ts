import { Token } from 'aws-cdk-lib';

/** As cdk-nag writes what only the deployment knows. */
export function asNagSays(value: string, parameter: string): string {
  return Token.isUnresolved(value) ? `<AWS::${parameter}>` : value;
}
