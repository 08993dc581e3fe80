import type { Service } from '../support/deployed/deployed-stack.ts';
import { happening } from '../support/deployed/happening.ts';
import { stack } from '../support/deployed/shared-stack.ts';
import { eventually } from '../support/eventually.ts';
import { type BodyEndpoint, bodyEndpoint } from '../support/network/webhook-bodies.ts';

let endpoint: BodyEndpoint;
let service: Service;

beforeAll(async () => {
  endpoint = await bodyEndpoint();
  service = await stack.newService();
});
afterAll(() => endpoint?.stop());

test('a subscription gets the events that its filter takes, in positions without gaps, with its fields', async () => {
  await service.subscribe(endpoint.url, {
    filter: { resource: { amount: [{ numeric: ['>=', '9007199254740993'] }] } },
    fields: ['/amount', '/card/brand'],
  });
  const paid = (sequence: number, amount: number) =>
    happening(service, {
      payment_id: 'pay-filtered',
      sequence,
      resource: { amount, card: { brand: 'Visa', holder: 'Ada' } },
    });
  await stack.publish(paid(1, 2 ** 54), paid(2, 100), paid(3, 2 ** 55));
  const [first, second] = await eventually('two webhooks', async () => {
    const found = endpoint.of('pay-filtered');
    return found.length >= 2 && found;
  });
  expect([first, second]).toMatchObject([
    { sequence: 1, position: 1 },
    { sequence: 3, position: 2, previous_message_id: first?.webhook_message_id },
  ]);
  expect([first, second].map((webhook) => webhook?.resource)).toEqual([
    { amount: 2 ** 54, card: { brand: 'Visa' } },
    { amount: 2 ** 55, card: { brand: 'Visa' } },
  ]);
  expect(await service.message(first?.webhook_message_id ?? '')).toMatchObject({
    fields: ['/amount', '/card/brand'],
  });
  expect(endpoint.of('pay-filtered')).toHaveLength(2);
});
