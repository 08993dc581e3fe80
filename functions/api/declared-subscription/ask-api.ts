import { randomUUID } from 'node:crypto';
import { InvokeCommand, type LambdaClient } from '@aws-sdk/client-lambda';
import { SCOPES } from '../../core/api/api-token.ts';
import { contextOf } from '../../core/api/identity-context.ts';
import type { Answered, Asked } from './declared-subscription.ts';

/**
 * Asks the function of our API as API Gateway does, in the place of its authorizer: whoever may invoke that
 * function may act for every service.
 *
 * @throws when the function fails
 */
export function askApi(client: LambdaClient, functionName: string) {
  return async ({
    method,
    path,
    query = '',
    body,
    idempotencyKey,
    serviceId,
    who,
  }: Asked): Promise<Answered> => {
    const event = {
      version: '2.0',
      routeKey: 'ANY /v1/{proxy+}',
      rawPath: path,
      rawQueryString: query,
      headers: {
        'content-type': 'application/json',
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      },
      isBase64Encoded: false,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      requestContext: {
        requestId: randomUUID(),
        domainName: 'cloudformation',
        http: { method, path, protocol: 'HTTP/1.1', sourceIp: '', userAgent: 'CloudFormation' },
        authorizer: {
          lambda: contextOf({ kind: 'service', service_id: serviceId, token_id: who, scopes: [...SCOPES] }),
        },
      },
    };
    const { FunctionError, Payload } = await client.send(
      new InvokeCommand({ FunctionName: functionName, Payload: JSON.stringify(event) }),
    );
    const text = Payload === undefined ? '' : Buffer.from(Payload).toString();
    if (FunctionError !== undefined) {
      // Its text is in the log of the API.
      throw new Error(`the function of the API failed at ${method} ${path}`);
    }
    const { statusCode, body: answered } = JSON.parse(text) as { statusCode: number; body?: string };
    return { status: statusCode, body: answered ? JSON.parse(answered) : {} };
  };
}
