import { resourceKey } from '../../../../../functions/core/message/message.ts';
import { apiWith, messageRecord } from '../../builders.ts';

const BODY =
  '{"webhook_message_id":"msg_1","api_version":1,"created_date":"2026-01-01T00:00:00.000Z","resource_id":"pay_1",' +
  '"resource_type":"payment","event_type":"card_payment_captured","resource":{"amount":1000}}';

test('a message is shown with its body and all its attempts', async () => {
  const first = {
    attempt: 1,
    started_at: '2026-01-01T00:00:01.007Z',
    duration_ms: 10_000,
    failure_class: 'timeout',
    failure_reason: 'no answer within 10 s',
  } as const;
  const second = { attempt: 2, started_at: '2026-01-01T00:00:16.000Z', duration_ms: 12, status_code: 200 };
  const record = messageRecord({ first_attempt: first, attempt_count: 2 });
  const api = await apiWith([{ record, laterAttempts: [second] }]);

  const { status, body } = await api({ path: '/v1/messages/msg_1' });

  expect(status).toBe(200);
  expect(body).toMatchObject({
    message_id: 'msg_1',
    state: 'succeeded',
    body: BODY,
    attempts: [first, second],
  });
  expect(body).not.toHaveProperty('service_id');
  expect(body).not.toHaveProperty('first_attempt');
});

test('a large body is assembled from the resource of its event', async () => {
  const { resource: _, ...record } = messageRecord();
  const api = await apiWith([{ record, laterAttempts: [] }], { [resourceKey(record)]: '{"amount":1000}' });

  expect((await api({ path: '/v1/messages/msg_1' })).body.body).toBe(BODY);
});

test('a message whose body is no longer on record is shown without it', async () => {
  const { resource: _, ...record } = messageRecord();
  const api = await apiWith([{ record, laterAttempts: [] }]);

  const { status, body } = await api({ path: '/v1/messages/msg_1' });

  expect(status).toBe(200);
  expect(body).not.toHaveProperty('body');
});

test('a waiting message has no attempts yet', async () => {
  const { first_attempt: _, ...record } = messageRecord({
    state: 'parked',
    state_reason: 'behind_earlier',
    attempt_count: 0,
  });
  const api = await apiWith([{ record, laterAttempts: [] }]);

  expect((await api({ path: '/v1/messages/msg_1' })).body).toMatchObject({
    state: 'parked',
    state_reason: 'behind_earlier',
    attempts: [],
  });
});

test.each(['event#evt_1', 'event%23evt_1', 'sub_1', `msg_${'x'.repeat(3_000)}`])(
  '%s is no message id',
  async (id) => {
    const api = await apiWith([]);
    expect(await api({ path: `/v1/messages/${id}` })).toMatchObject({ status: 404 });
  },
);
