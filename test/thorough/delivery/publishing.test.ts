import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { accountEnvironment } from '../../../cli/stage/local-account.ts';
import { environmentAs } from '../../support/access/assumed-role.ts';
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
