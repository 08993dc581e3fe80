import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { accountEnvironment } from '../../local/local-account.ts';
import {
  type DeployedStack,
  deployedStack,
  type TestReceiver,
  testReceiver,
} from '../support/deployed-stack.ts';

const examples = path.resolve(import.meta.dirname, '../../docs/examples');

let stack: DeployedStack;
let receiver: TestReceiver;

beforeAll(async () => {
  stack = await deployedStack();
  receiver = await testReceiver();
});
afterAll(async () => {
  await receiver?.stop();
  stack?.close();
});

test('what the example of a publisher puts on the bus arrives as webhooks, in the order of each payment', async () => {
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

  const publisher = spawn('node', [path.join(examples, 'publish.mjs'), stack.outputs.busName], {
    env: { PATH: process.env.PATH, ...accountEnvironment(stack.outputs.endpoint) },
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
