import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { PurgeQueueCommand, ReceiveMessageCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { accountEnvironment } from '../../../cli/stage/local-account.ts';
import { configAs, environmentAs } from '../../support/access/assumed-role.ts';
import { receiver } from '../../support/deployed/own-receiver.ts';
import { stack } from '../../support/deployed/shared-stack.ts';

const examples = path.resolve(import.meta.dirname, '../../../docs/examples');

test.each([
  {
    door: 'the bus',
    target: () => stack.outputs.busName,
    environment: async () => accountEnvironment(stack.outputs.endpoint),
  },
  {
    door: 'the queue, by the role for it',
    target: () => stack.outputs.queues.events,
    environment: async () => environmentAs('Publisher', stack.outputs.endpoint),
  },
])('events that come by $door arrive in the order of each payment', async ({ target, environment }) => {
  const service = await stack.newService();
  const events = readFileSync(path.join(examples, 'events.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line, index) => ({
      ...JSON.parse(line),
      event_id: `example-${index}-${service.serviceId}`.slice(0, 64),
      service_id: service.serviceId,
    }));
  const { id } = await service.subscribe(await receiver.endpoint(service.serviceId), {
    live: events[0].live,
  });

  const publisher = spawn('node', [path.join(examples, 'publish.mjs'), target()], {
    env: { PATH: process.env.PATH, ...(await environment()) },
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  publisher.stdin.end(events.map((event) => JSON.stringify(event)).join('\n'));
  expect(await new Promise((resolve) => publisher.once('exit', resolve))).toBe(0);

  await service.messages(
    id,
    (messages) => messages.length === events.length && messages.every(({ state }) => state === 'succeeded'),
  );
  const receipts = await receiver.receipts(service.serviceId);
  const messages = await service.messages(id, () => true);
  const eventOf = new Map(messages.map(({ message_id, event_id }) => [message_id, event_id]));
  const arrived = receipts.map(({ webhook_id = '' }) => eventOf.get(webhook_id));
  for (const ofPayment of Map.groupBy(events, ({ payment_id }) => payment_id).values()) {
    const ids = ofPayment.map(({ event_id }) => event_id);
    expect(arrived.filter((one) => ids.includes(one))).toEqual(ids);
  }
});

test('who publishes by the queue may send there, and neither read it nor publish by the bus', async () => {
  const config = await configAs('Publisher', stack.outputs.endpoint);
  const sqs = new SQSClient(config);
  const bus = new EventBridgeClient(config);
  const denied = { name: expect.stringMatching(/AccessDenied/) };
  const QueueUrl = stack.outputs.queues.events;
  await expect(sqs.send(new ReceiveMessageCommand({ QueueUrl }))).rejects.toMatchObject(denied);
  await expect(sqs.send(new PurgeQueueCommand({ QueueUrl }))).rejects.toMatchObject(denied);
  const others = sqs.send(
    new SendMessageCommand({
      QueueUrl: stack.outputs.queues.deliveries,
      MessageBody: '{}',
      MessageGroupId: 'a',
      MessageDeduplicationId: 'a',
    }),
  );
  await expect(others).rejects.toMatchObject(denied);
  const Entries = [
    { EventBusName: stack.outputs.busName, Source: 'payments', DetailType: 'x', Detail: '{}' },
  ];
  await expect(bus.send(new PutEventsCommand({ Entries }))).rejects.toMatchObject(denied);
  sqs.destroy();
  bus.destroy();
});
