import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';

/** The same in every try of a call. Source: "Invocation ID", AWS SDKs. */
const INVOCATION = 'amz-sdk-invocation-id';

/**
 * A client that loses the answer to the first try of each write: the engine has carried it out, and the SDK
 * tries again.
 */
export function losingAnswers(config: DynamoDBClientConfig): DynamoDBClient {
  const client = new DynamoDBClient(config);
  const handler = client.config.requestHandler;
  const handle = handler.handle.bind(handler);
  const tried = new Set<string | undefined>();
  handler.handle = async (request, options) => {
    const answer = await handle(request, options);
    const invocation = request.headers[INVOCATION];
    const isRead = /Get|Query|Scan/.test(request.headers['x-amz-target'] ?? '');
    if (isRead || tried.has(invocation)) {
      return answer;
    }
    tried.add(invocation);
    answer.response.body.resume();
    throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
  };
  return client;
}
