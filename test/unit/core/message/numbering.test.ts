import { webhookBody } from '../../../../functions/core/message/message.ts';
import { messageView } from '../../../../functions/core/message/message-view.ts';
import { recordOf } from '../../../../functions/core/message/outcome.ts';
import { positionOf } from '../../../../functions/core/sequence/order-number.ts';
import { message } from '../../../support/builders.ts';

const numbered = { sequence: 7, position: 3, previous_message_id: 'msg_before' };

test('a webhook of a numbered event says where it stands, before its resource', () => {
  expect(Object.keys(JSON.parse(webhookBody(message(numbered), '{}')))).toEqual([
    'webhook_message_id',
    'api_version',
    'created_date',
    'resource_id',
    'resource_type',
    'event_type',
    'payment_id',
    'sequence',
    'position',
    'previous_message_id',
    'resource',
  ]);
});

test('the first of a subscription says that there is none before it', () => {
  const first = message({ sequence: 7, position: 1 });
  expect(JSON.parse(webhookBody(first, '{}'))).toMatchObject({ position: 1, previous_message_id: null });
});

test('one behind a gap and one that came late say so', () => {
  expect(JSON.parse(webhookBody(message({ ...numbered, gap_before: true }), '{}')).gap_before).toBe(true);
  expect(JSON.parse(webhookBody(message({ ...numbered, came_late: true }), '{}')).late).toBe(true);
});

test('the record of a message repeats it, and so makes the same body', () => {
  const early = message({ ...numbered, came_late: true, arrived_at_ms: Date.UTC(2026, 10, 14, 9) });
  const record = recordOf(early);
  expect(record).toMatchObject({ ...numbered, came_late: true, arrived_at: '2026-11-14T09:00:00.000Z' });
  expect(webhookBody(record, '{}')).toBe(webhookBody(early, '{}'));
});

test('a partner sees it in the view of a message', () => {
  const record = {
    ...recordOf(message({ ...numbered, came_late: true })),
    state: 'succeeded',
    attempt_count: 0,
  } as const;
  expect(messageView(record, [], undefined)).toMatchObject({ ...numbered, late: true });
});

test('those that went on together wait right behind the one that let them go on, in the order of their ranks', () => {
  const orderNumbers = ['199', '200', '200.0001', '200.0002', '200.0010', '201', '1000'];
  const positions = orderNumbers.map((order_number) => positionOf({ order_number }));
  expect([...positions].sort()).toEqual(positions);
});
