import type { IncomingHttpHeaders } from 'node:http';

/** What a request asks of AWS: `{ service: 'dynamodb', operation: 'PutItem' }`. */
export interface AwsCall {
  /** As a signature names it: `dynamodb`, `sqs`; `unknown` without one. */
  readonly service: string;
  /** `unknown` where only the body would tell. */
  readonly operation: string;
}

/** Prefixes of `x-amz-target` in the JSON protocol. */
const SERVICES: Readonly<Record<string, string>> = { DynamoDB_20120810: 'dynamodb', AmazonSQS: 'sqs' };

/** By its target, else by the scope of its signature: `AKIA.../20261114/eu-west-1/sqs/aws4_request`. */
export function awsCallOf(headers: IncomingHttpHeaders): AwsCall {
  const target = String(headers['x-amz-target'] ?? '');
  const [prefix = '', operation = 'unknown'] = target.split('.', 2);
  const signed = /Credential=[^/,]+\/\d{8}\/[^/]+\/([^/]+)\//.exec(headers.authorization ?? '')?.[1];
  return { service: SERVICES[prefix] ?? signed ?? 'unknown', operation };
}
