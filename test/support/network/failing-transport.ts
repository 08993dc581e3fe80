import { Readable } from 'node:stream';
import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';

/** What AWS answers: an error's type, or the members of a successful answer. */
export type Answered = Failed | object;

interface Request {
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** A call as it went out. */
export interface Call {
  /** Such as `PutItem`. */
  readonly action: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever was sent
  readonly input: any;
}

/**
 * The options of an AWS client whose requests go nowhere: `answer` says what comes back. Below everything
 * that the SDK does, but without its own retries, which come on top.
 */
export function failingTransport(answer: (call: Call, number: number) => Answered | Promise<Answered>) {
  const calls: Call[] = [];
  const requestHandler = {
    async handle(request: Request) {
      const action = (request.headers['x-amz-target'] ?? '').split('.')[1] ?? '';
      const call = { action, input: JSON.parse(textOf(request.body)) };
      calls.push(call);
      const answered = await answer(call, calls.length);
      const { status, body } =
        'error' in answered ? failed(answered as Failed) : { status: 200, body: answered };
      return {
        response: {
          statusCode: status,
          headers: { 'content-type': 'application/x-amz-json-1.0' },
          body: Readable.from([Buffer.from(JSON.stringify(body))]),
        },
      };
    },
    destroy: () => {},
    updateHttpClientConfig: () => {},
    httpHandlerConfigs: () => ({}),
  };
  const config = {
    region: 'eu-west-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    maxAttempts: 1,
    requestHandler,
  };
  return { config, calls };
}

interface Failed {
  /** Such as `ThrottlingException`. */
  readonly error: string;
  /** @default 400 */
  readonly status?: number;
  /** Of a cancelled transaction, write by write. */
  readonly reasons?: readonly string[];
  /** What is stored, as a refused condition shows it. */
  readonly item?: object;
}

function textOf(body: Request['body']): string {
  return body instanceof Uint8Array ? new TextDecoder().decode(body) : String(body ?? '{}');
}

function failed({ error, status = 400, reasons, item }: Failed) {
  return {
    status,
    body: {
      __type: `com.amazonaws.dynamodb.v20120810#${error}`,
      message: error,
      ...(item === undefined ? {} : { Item: item }),
      ...(reasons === undefined ? {} : { CancellationReasons: reasons.map((Code) => ({ Code })) }),
    },
  };
}

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
