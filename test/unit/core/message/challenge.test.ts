import { isPing } from '../../../../functions/core/catalogue/ping-names.ts';
import { afterEcho, CHALLENGE_BYTES, challengeOf } from '../../../../functions/core/message/challenge.ts';
import { messageSchema, webhookBody } from '../../../../functions/core/message/message.ts';
import { subscription, TEN_O_CLOCK_MS } from '../../../support/builders.ts';

const bytes = new Uint8Array(CHALLENGE_BYTES).fill(255, CHALLENGE_BYTES / 2);
const challenge = challengeOf(subscription(), bytes, TEN_O_CLOCK_MS);
const VALUE = '_____________________w';

test('a challenge is a message like any other, about nothing but itself', () => {
  expect(messageSchema.parse(challenge)).toEqual({
    v: 1,
    message_id: expect.stringMatching(/^msg_[\w-]{40}$/),
    event_id: 'challenge-AAAAAAAAAAAAAAAAAAAAAA',
    service_id: 'bakery',
    subscription_id: 'sub_1',
    payment_id: 'challenge-AAAAAAAAAAAAAAAAAAAAAA',
    event_type: 'challenge',
    resource_type: 'challenge',
    resource_id: 'challenge-AAAAAAAAAAAAAAAAAAAAAA',
    live: false,
    admitted_at_ms: TEN_O_CLOCK_MS,
    occurred_at: '2026-11-14T10:00:00.000Z',
    order_number: '00000000000000000000',
    resource: `{"challenge":"${VALUE}"}`,
  });
  expect(isPing(challenge)).toBe(true);
});

const answered = (response_body?: string) =>
  afterEcho(
    { status_code: 200, duration_ms: 3, ...(response_body === undefined ? {} : { response_body }) },
    challenge.resource ?? '',
  );

test.each([VALUE, `  ${VALUE}\r\n`, `{"challenge":"${VALUE}"}`, `{ "ok": true, "challenge": "${VALUE}" }\n`])(
  'an answer repeats it: %j',
  (body) => {
    expect(answered(body)).not.toHaveProperty('failure_class');
  },
);

test.each([
  undefined,
  '',
  'OK',
  `${VALUE}x`,
  VALUE.slice(1),
  `["${VALUE}"]`,
  `"${VALUE}"`,
  `{"challenge":["${VALUE}"]}`,
  `{"challenge":"${VALUE}"`,
  `{"Challenge":"${VALUE}"}`,
  webhookBody(challenge, challenge.resource ?? ''),
])('an answer does not: %j', (body) => {
  expect(answered(body)).toMatchObject({
    status_code: 200,
    failure_class: 'not_echoed',
    failure_reason: expect.stringContaining('resource.challenge'),
  });
});

test('a failure stays what it was, even if its answer repeats it', () => {
  const refused = { status_code: 302, failure_class: 'http_status', response_body: VALUE } as const;
  expect(afterEcho({ ...refused, duration_ms: 3 }, challenge.resource ?? '')).toMatchObject(refused);
});
