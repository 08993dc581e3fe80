import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { happening } from '../support/deployed/happening.ts';
import { opsOn } from '../support/deployed/ops-on.ts';
import { partner } from '../support/deployed/own-partner.ts';
import { service } from '../support/deployed/own-service.ts';
import { stack } from '../support/deployed/shared-stack.ts';
import { eventually } from '../support/eventually.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'payhooks-events-'));
afterAll(() => rmSync(folder, { recursive: true }));

interface Listed {
  readonly types: readonly { event_type: string; messages: number; subscriptions: readonly string[] }[];
}

test('the types of a stage are listed by API and command, with who takes them and how often they came', async () => {
  const { id } = await service.subscribe(partner.url('shop'), { event_types: ['card_payment_set*'] });
  const { body } = await service.call('GET', '/event-types/card_payment_settled');
  expect(body).toMatchObject({ event_type: 'card_payment_settled', sample: { amount: 1_000 } });

  await stack.publish(happening(service, { event_type: 'CAPTURE_SETTLED' }));

  await eventually('the event is counted', async () => {
    const { printed } = await opsOn(stack, 'events', '--json');
    const { types } = JSON.parse(printed) as Listed;
    const settled = types.find(({ event_type }) => event_type === 'card_payment_settled');
    return settled?.subscriptions.includes(id) && settled.messages > 0;
  });
});

test('a catalogue that lacks a type is told whose subscription would get less', async () => {
  const { id } = await service.subscribe(partner.url('shop'), { event_types: ['card_payment_set*'] });
  writeFileSync(path.join(folder, 'paid.yaml'), 'name: invoice.paid\ndescription: It was paid.\n');

  const { isWell, printed } = await opsOn(stack, 'events', '--against', folder);

  expect(isWell).toBe(false);
  expect(printed).toContain(
    `${service.serviceId} ${id}: card_payment_set* would no longer match card_payment_settled`,
  );
});

test('a resource that does not fit its schema is delivered as it is, and its message says where', async () => {
  const { id } = await service.subscribe(partner.url('shop'));
  const resource = { amount: 'ten', reference: 9_007_199_254_740_992 };
  await stack.publish(
    happening(service, { payment_id: 'pay-off', resource }),
    happening(service, { payment_id: 'pay-fit', resource: { amount: 10 } }),
  );
  const messages = await service.messages(
    id,
    (all) => all.filter(({ state }) => state === 'succeeded').length === 2,
  );
  const shown = await Promise.all(
    messages.map(async ({ message_id }) => (await service.call('GET', `/messages/${message_id}`)).body),
  );
  expect(shown.map(({ payment_id, schema_error }) => [payment_id, schema_error]).sort()).toEqual([
    ['pay-fit', undefined],
    ['pay-off', '/amount: type'],
  ]);
  const { body } = shown.find(({ payment_id }) => payment_id === 'pay-off') as { body: string };
  expect(body).toContain(JSON.stringify(resource));
});
