import { apiWithMessage } from '../../builders.ts';

const request = { method: 'POST', path: '/v1/messages/msg_1/cancel' };

test.each([
  { state: 'retrying' },
  { state: 'parked', state_reason: 'behind_earlier' },
  { state: 'parked', state_reason: 'disabled' },
  { state: 'parked', state_reason: 'fault' },
] as const)('a message that is $state $state_reason is cancelled', async (waiting) => {
  const { api, signalled } = await apiWithMessage(waiting);

  expect(await api(request)).toMatchObject({
    status: 202,
    headers: { location: '/v1/messages/msg_1' },
    body: { message_id: 'msg_1', subscription_id: 'sub_1', state_before: waiting.state },
  });
  expect(signalled).toEqual([
    {
      v: 1,
      signal_kind: 'cancel',
      service_id: 'shop',
      subscription_id: 'sub_1',
      payment_id: 'pay_1',
      message_id: 'msg_1',
    },
  ]);
});

test.each([
  [{ state: 'succeeded' }, 'The message is succeeded: it has ended, so it cannot be cancelled.'],
  [
    { state: 'cancelled', state_reason: 'cancelled_by_partner' },
    'The message is cancelled (cancelled_by_partner): it has ended, so it cannot be cancelled.',
  ],
] as const)('one that has ended cannot be: %j', async (record, detail) => {
  const { api, signalled } = await apiWithMessage(record);

  expect(await api(request)).toMatchObject({
    status: 409,
    body: { type: 'urn:payhooks:problem:already-ended', detail },
  });
  expect(signalled).toEqual([]);
});

test('a cancellation that cannot be queued gets 503 with retry-after', async () => {
  const { api } = await apiWithMessage({ state: 'retrying' }, { signal: async (signals) => signals });

  expect(await api(request)).toMatchObject({
    status: 503,
    headers: { 'retry-after': '5' },
    body: { type: 'urn:payhooks:problem:not-taken' },
  });
});
