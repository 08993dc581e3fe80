import type { IAspect } from 'aws-cdk-lib';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { CfnLogGroup } from 'aws-cdk-lib/aws-logs';
import type { IConstruct } from 'constructs';

/** Encrypts every log group with a key, whichever construct makes it. */
export class EncryptedLogs implements IAspect {
  readonly #key: IKey;

  constructor(key: IKey) {
    this.#key = key;
  }

  visit(node: IConstruct): void {
    if (node instanceof CfnLogGroup) {
      node.kmsKeyId = this.#key.keyArn;
    }
  }
}
