import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { InvokeCommand, LambdaClient, paginateListFunctions } from '@aws-sdk/client-lambda';
import {
  DeleteMessageBatchCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { clientConfig } from '../../../cli/stage/local-account.ts';
import { type LocalOutputs, readOutputs } from '../../../cli/stage/local-outputs.ts';
import { apiTokenTable } from '../../../functions/adapters/dynamodb/api/api-token-table.ts';
import { createToken } from '../../../functions/api/authorize/create-token.ts';
import { MAX_REQUESTS_PER_MINUTE } from '../../../functions/core/api/api-token.ts';
import type { MessageView } from '../../../functions/core/message/message-view.ts';
import type { SubscriptionView } from '../../../functions/core/subscription/subscription-view.ts';
import type { Receipt } from '../../../functions/load-lab/receiver/receipt.ts';
import { type ReceiverServer, startReceiverServer } from '../../../local/receiver-server.ts';
import { eventually } from '../eventually.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever the API answers
  readonly body: any;
}

export interface Sent {
  /** On whose behalf. @default - nobody's */
  readonly token?: string | undefined;
  /** A string is sent as is. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A service of the test's own: its id, its token, and the HTTP API on its behalf. */
export interface Service {
  readonly serviceId: string;
  readonly token: string;
  call(
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Answer>;
  subscribe(callbackUrl: string, over?: Record<string, unknown>): Promise<{ id: string; secret: string }>;
  subscription(subscriptionId: string): Promise<SubscriptionView>;
  message(messageId: string): Promise<MessageView>;
  /** All messages of a subscription, newest first, as soon as `isComplete` accepts them. */
  messages(subscriptionId: string, isComplete: (messages: MessageView[]) => boolean): Promise<MessageView[]>;
}

type QueueName = keyof LocalOutputs['queues'];

/** The deployed stack, used only through its public interfaces. */
export interface DeployedStack {
  readonly outputs: LocalOutputs;
  readonly dynamodb: DynamoDBClient;
  readonly sqs: SQSClient;
  /**
   * @param serviceId @default - a new one
   * @param requestsPerMinute of its token @default - the maximum
   */
  newService(serviceId?: string, requestsPerMinute?: number): Promise<Service>;
  /** Asks the HTTP API. @param path without `/v1` */
  request(method: string, path: string, sent?: Sent): Promise<Answer>;
  /**
   * Publishes details in separate calls, so that they are taken in this order. A string is published as is.
   */
  publish(...details: (object | string)[]): Promise<void>;
  /** Sends a record to a queue, as a worker or SQS would; `reason` is that of a dead letter. */
  put(queue: QueueName, body: object | string, group?: string, reason?: string): Promise<void>;
  /** Receives and deletes the records of a dead-letter queue that `isMine` accepts, and leaves the rest. */
  takeDeadLetters(queueUrl: string, isMine: (body: string) => boolean): Promise<DeadLetter[]>;
  /** How many records of a queue wait, and how many are in flight; delayed ones are not counted. */
  depth(queueUrl: string): Promise<number>;
  /** Runs a function once, as its schedule would: `Sweep`. */
  run(functionName: string): Promise<{ readonly error: string | undefined }>;
  close(): void;
}

export interface DeadLetter {
  readonly body: string;
  readonly reason: string | undefined;
  readonly explanation: string | undefined;
}

/** @param outputsFile of a stack of the test's own @default - the stack that all tests share */
export async function deployedStack(outputsFile = process.env.PAYHOOKS_TEST_OUTPUTS): Promise<DeployedStack> {
  const outputs = await readOutputs(outputsFile);
  const config = clientConfig(outputs.endpoint);
  const dynamodb = new DynamoDBClient(config);
  const sqs = new SQSClient(config);
  const eventBridge = new EventBridgeClient(config);
  const lambda = new LambdaClient(config);
  const request: DeployedStack['request'] = async (method, path, { token, body, headers } = {}) => {
    const answer = await fetch(`${outputs.apiUrl}/v1${path}`, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        'content-type': 'application/json',
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    return {
      status: answer.status,
      headers: answer.headers,
      body: text === '' ? undefined : JSON.parse(text),
    };
  };
  return {
    outputs,
    dynamodb,
    sqs,
    request,
    async newService(serviceId = `svc-${randomUUID()}`, requestsPerMinute = MAX_REQUESTS_PER_MINUTE) {
      const { token } = await createToken(apiTokenTable(dynamodb, outputs.tables.apiTokens), {
        serviceId,
        description: 'integration test',
        requestsPerMinute,
      });
      return service(request, serviceId, token);
    },
    async publish(...details) {
      for (const detail of details) {
        const { FailedEntryCount } = await eventBridge.send(
          new PutEventsCommand({
            Entries: [
              {
                EventBusName: outputs.busName,
                Source: 'payments',
                DetailType: 'payment event',
                Detail: typeof detail === 'string' ? detail : JSON.stringify(detail),
              },
            ],
          }),
        );
        expect(FailedEntryCount).toBe(0);
      }
    },
    async put(queue, body, group, reason) {
      await sqs.send(
        new SendMessageCommand({
          QueueUrl: outputs.queues[queue],
          MessageBody: typeof body === 'string' ? body : JSON.stringify(body),
          ...(group === undefined ? {} : { MessageGroupId: group, MessageDeduplicationId: randomUUID() }),
          ...(reason === undefined
            ? {}
            : { MessageAttributes: { Reason: { DataType: 'String', StringValue: reason } } }),
        }),
      );
    },
    async takeDeadLetters(queueUrl, isMine) {
      const { Messages = [] } = await sqs.send(
        new ReceiveMessageCommand({
          QueueUrl: queueUrl,
          MaxNumberOfMessages: 10,
          VisibilityTimeout: 1,
          MessageAttributeNames: ['All'],
        }),
      );
      const mine = Messages.filter(({ Body = '' }) => isMine(Body));
      if (mine.length > 0) {
        await sqs.send(
          new DeleteMessageBatchCommand({
            QueueUrl: queueUrl,
            Entries: mine.map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle })),
          }),
        );
      }
      return mine.map(({ Body = '', MessageAttributes = {} }) => ({
        body: Body,
        reason: MessageAttributes.Reason?.StringValue,
        explanation: MessageAttributes.Explanation?.StringValue,
      }));
    },
    async depth(queueUrl) {
      const { Attributes = {} } = await sqs.send(
        new GetQueueAttributesCommand({
          QueueUrl: queueUrl,
          AttributeNames: ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'],
        }),
      );
      return Object.values(Attributes).reduce((sum, count) => sum + Number(count), 0);
    },
    async run(functionName) {
      for await (const { Functions = [] } of paginateListFunctions({ client: lambda }, {})) {
        const found = Functions.find(({ FunctionName = '' }) =>
          new RegExp(`^payhooks-local-(pipeline|api)-${functionName}`).test(FunctionName),
        );
        if (found !== undefined) {
          const { FunctionError, Payload } = await lambda.send(
            new InvokeCommand({ FunctionName: found.FunctionName }),
          );
          return { error: FunctionError && `${FunctionError}: ${Buffer.from(Payload ?? []).toString()}` };
        }
      }
      throw new Error(`the stack has no function ${functionName}`);
    },
    close() {
      for (const client of [dynamodb, sqs, eventBridge, lambda]) {
        client.destroy();
      }
    },
  };
}

function service(request: DeployedStack['request'], serviceId: string, token: string): Service {
  const call: Service['call'] = (method, path, body, headers = {}) =>
    request(method, path, { token, body, headers });
  const message: Service['message'] = async (messageId) => (await call('GET', `/messages/${messageId}`)).body;
  return {
    serviceId,
    token,
    call,
    message,
    subscription: async (subscriptionId) => (await call('GET', `/subscriptions/${subscriptionId}`)).body,
    async subscribe(callbackUrl, over = {}) {
      const wanted = {
        callback_url: callbackUrl,
        description: 'test',
        event_types: ['*'],
        live: false,
        ...over,
      };
      const { status, body } = await call('POST', '/subscriptions', wanted);
      expect({ status, body }).toMatchObject({ status: 201 });
      return { id: body.subscription_id, secret: body.signing_secret };
    },
    messages(subscriptionId, isComplete) {
      return eventually(`the messages of ${subscriptionId}`, async () => {
        const { body } = await call('GET', `/subscriptions/${subscriptionId}/messages?limit=100`);
        return isComplete(body.messages) && body.messages;
      });
    },
  };
}

/** A receiver on the loopback, and what its endpoints received. */
export interface TestReceiver {
  /** A callback URL; see the receiver's settings. */
  endpoint(name: string, settings?: object): Promise<string>;
  receipts(name: string): Promise<Receipt[]>;
  stop(): Promise<void>;
}

export async function testReceiver(): Promise<TestReceiver> {
  const server: ReceiverServer = await startReceiverServer({ port: 0 });
  return {
    async endpoint(name, settings = {}) {
      const answer = await fetch(`${server.url}/${name}/settings`, {
        method: 'PUT',
        body: JSON.stringify(settings),
      });
      expect(answer.ok).toBe(true);
      return `${server.url}/${name}`;
    },
    async receipts(name) {
      const answer = await fetch(`${server.url}/${name}/receipts`);
      return ((await answer.json()) as { receipts: Receipt[] }).receipts;
    },
    stop: () => server.stop(),
  };
}
