import type { IncomingHttpHeaders } from 'node:http';

/** The call that a request makes: `{ service: 'dynamodb', operation: 'PutItem' }`. */
export interface AwsCall {
  /** As in the signature: `dynamodb`, `sqs`; `unknown` without one. */
  readonly service: string;
  /** `unknown` when only the body would tell. */
  readonly operation: string;
}

/** Prefixes of `x-amz-target` in the JSON protocol. */
const SERVICES: Readonly<Record<string, string>> = { DynamoDB_20120810: 'dynamodb', AmazonSQS: 'sqs' };

/**
 * From the target header, else from the scope of the signature:
 * `AKIA.../20261114/eu-west-1/sqs/aws4_request`.
 */
export function awsCallOf(headers: IncomingHttpHeaders): AwsCall {
  const target = String(headers['x-amz-target'] ?? '');
  const [prefix = '', operation = 'unknown'] = target.split('.', 2);
  const signed = /Credential=[^/,]+\/\d{8}\/[^/]+\/([^/]+)\//.exec(headers.authorization ?? '')?.[1];
  return { service: SERVICES[prefix] ?? signed ?? 'unknown', operation };
}
