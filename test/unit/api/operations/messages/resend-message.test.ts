import { apiWithMessage } from '../../builders.ts';

const request = { method: 'POST', path: '/v1/messages/msg_1/resend' };

test.each([
  { state: 'succeeded' },
  { state: 'exhausted', state_reason: 'schedule' },
  { state: 'cancelled', state_reason: 'skipped' },
] as const)('a message that is $state is resent, and the answer tells its earlier state', async (ended) => {
  const { api, signalled } = await apiWithMessage(ended);

  expect(await api(request)).toMatchObject({ status: 202, headers: { location: '/v1/messages/msg_1' } });
  expect((await api(request)).body).toEqual({
    message_id: 'msg_1',
    subscription_id: 'sub_1',
    state_before: ended.state,
    ...('state_reason' in ended ? { state_reason_before: ended.state_reason } : {}),
  });
  const signal = {
    v: 1,
    signal_kind: 'resend',
    service_id: 'shop',
    subscription_id: 'sub_1',
    payment_id: 'pay_1',
    message_id: 'msg_1',
  };
  expect(signalled).toEqual([signal, signal]);
});

test('the next attempt of a message that is retried is asked for at once', async () => {
  const { api, signalled } = await apiWithMessage({ state: 'retrying', attempt_count: 3 });
  expect(await api(request)).toMatchObject({ status: 202, body: { state_before: 'retrying' } });
  expect(signalled).toMatchObject([{ signal_kind: 'resend', message_id: 'msg_1', after_attempt: 3 }]);
});

test.each([
  [
    { state: 'parked', state_reason: 'behind_earlier' },
    'The message is parked (behind_earlier): it has not ended yet, so it cannot be resent.',
  ],
] as const)('a waiting message cannot be resent: %j', async (record, detail) => {
  const { api, signalled } = await apiWithMessage(record);

  expect(await api(request)).toMatchObject({
    status: 409,
    headers: { 'content-type': 'application/problem+json' },
    body: { type: 'urn:payhooks:problem:already-waiting', detail },
  });
  expect(signalled).toEqual([]);
});

test('a message whose subscription was deleted cannot be resent', async () => {
  const { api, signalled } = await apiWithMessage({ state: 'exhausted' });
  await api({ method: 'DELETE', path: '/v1/subscriptions/sub_1' });

  expect(await api(request)).toMatchObject({
    status: 409,
    body: {
      type: 'urn:payhooks:problem:subscription-deleted',
      detail: 'The subscription sub_1 was deleted: its messages can no longer be sent.',
    },
  });
  expect(signalled).toEqual([]);
});

test('a resend that cannot be queued gets 503 with retry-after', async () => {
  const { api } = await apiWithMessage({ state: 'exhausted' }, { signal: async (signals) => signals });

  expect(await api(request)).toMatchObject({
    status: 503,
    headers: { 'retry-after': '5' },
    body: { type: 'urn:payhooks:problem:not-taken' },
  });
});

test('a message whose body was erased cannot be resent, and the answer says since when', async () => {
  const { api, signalled } = await apiWithMessage({
    state: 'succeeded',
    body_erased_at: '2026-01-02T00:00:00.000Z',
  });
  expect(await api(request)).toMatchObject({
    status: 409,
    body: {
      type: 'urn:payhooks:problem:body-erased',
      detail: 'The body was erased at 2026-01-02T00:00:00.000Z: there is nothing left to send.',
    },
  });
  expect(signalled).toEqual([]);
});

test('a test ping cannot be resent', async () => {
  const { api, signalled } = await apiWithMessage({
    event_type: 'ping',
    state: 'exhausted',
    state_reason: 'schedule',
  });
  expect(await api(request)).toMatchObject({
    status: 409,
    body: { type: 'urn:payhooks:problem:ping-not-resent' },
  });
  expect(signalled).toEqual([]);
});
