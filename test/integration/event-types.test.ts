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
