import { Token } from 'aws-cdk-lib';

/** How cdk-nag writes a value that is known only at deployment. */
export function cdkNagValue(value: string, parameter: string): string {
  return Token.isUnresolved(value) ? `<AWS::${parameter}>` : value;
}
