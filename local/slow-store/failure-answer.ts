import { randomUUID } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { FailureKind } from './fate.ts';
import type { Service } from './settings.ts';

interface AwsError {
  readonly status: number;
  readonly type: string;
  readonly message: string;
}

const THROTTLED: Readonly<Record<Service, AwsError>> = {
  dynamodb: {
    status: 400,
    type: 'com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException',
    message: 'The level of configured provisioned throughput for the table was exceeded.',
  },
  sqs: {
    status: 400,
    type: 'com.amazonaws.sqs#RequestThrottled',
    message: 'The request was denied due to request throttling.',
  },
};

const INTERNAL: Readonly<Record<Service, AwsError>> = {
  dynamodb: {
    status: 500,
    type: 'com.amazonaws.dynamodb.v20120810#InternalServerError',
    message: 'The request could not be processed because of an internal error.',
  },
  sqs: {
    status: 500,
    type: 'com.amazonaws.sqs#InternalFailure',
    message: 'The request processing has failed because of an unknown error, exception or failure.',
  },
};

/**
 * The error as the service itself would send it, so that the SDK classifies it the same way.
 *
 * Source: DynamoDB Developer Guide, "Error handling with DynamoDB"; SQS API Reference, "Common Errors".
 */
export function failureAnswer(service: Service, kind: FailureKind) {
  const { status, type, message } = (kind === 'throttled' ? THROTTLED : INTERNAL)[service];
  const body = JSON.stringify({ __type: type, message });
  return {
    status,
    headers: {
      'content-type': 'application/x-amz-json-1.0',
      'content-length': String(Buffer.byteLength(body)),
      'x-amzn-requestid': randomUUID(),
      ...(service === 'dynamodb' ? { 'x-amz-crc32': String(crc32(body)) } : {}),
    },
    body,
  };
}
