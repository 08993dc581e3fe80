import { onArrival, partner } from '../../support/deployed/own-partner.ts';
import { service } from '../../support/deployed/own-service.ts';
import { eventually } from '../../support/eventually.ts';

const SUBSCRIPTION = {
  callback_url: 'http://127.0.0.1:1/hooks',
  event_types: ['*'],
  live: false,
};
const secretOf = (bytes: number) => `whsec_${Buffer.alloc(bytes, bytes).toString('base64')}`;

/** The statuses of these requests, and the fields that their answers complain of. */
async function complaints(requests: readonly (readonly [string, string, unknown?])[]) {
  return Promise.all(
    requests.map(async ([method, path, sent]) => {
      const { status, headers, body } = await service.call(method, path, sent);
      expect(headers.get('content-type')).toContain('application/problem+json');
      return { status, fields: body.errors?.map(({ field }: { field: string }) => field) };
    }),
  );
}

const aboutEach = (fields: readonly string[]) => fields.map((field) => ({ status: 400, fields: [field] }));

/** A field, and a value that it refuses on creation as on change. */
const REFUSED_VALUES: readonly (readonly [string, unknown])[] = [
  ['callback_url', ''],
  ['callback_url', 'ftp://shop.example/'],
  ['callback_url', 'https://shop.example/%0d%0a'],
  ['callback_url', `https://shop.example/${'x'.repeat(2_048)}`],
  ['description', 'x'.repeat(201)],
  ['description', 'two\nlines'],
  ['event_types', []],
  ['event_types.0', ['card_payment_sneezed']],
  ['event_types', '*'],
  ['timeout_ms', 999],
  ['timeout_ms', 30_001],
  ['timeout_ms', '10000'],
  ['schedule', 'hourly'],
  ['rate_limit', 0],
  ['rate_limit', 101],
  ['rate_limit', 1.5],
  ['contact', 'nobody'],
  ['extra_signatures.0', ['v2']],
  ['extra_signatures', ['v1a', 'v1a']],
  ['custom_headers.webhook-id', { 'webhook-id': '1' }],
  ['colour', 'blue'],
];
const withValue = ([field, value]: readonly [string, unknown]) => ({ [field.split('.')[0]!]: value });

test('each field that is invalid is named, and nothing is stored', async () => {
  const { id } = await service.subscribe(SUBSCRIPTION.callback_url);
  const path = `/subscriptions/${id}`;
  const before = (await service.call('GET', path)).body;
  const fields = REFUSED_VALUES.map(([field]) => field);

  expect(
    await complaints(
      REFUSED_VALUES.map((one) => ['POST', '/subscriptions', { ...SUBSCRIPTION, ...withValue(one) }]),
    ),
  ).toEqual(aboutEach(fields));
  expect(await complaints(REFUSED_VALUES.map((one) => ['PATCH', path, withValue(one)]))).toEqual(
    aboutEach(fields),
  );
  expect(
    await complaints(
      Object.keys(SUBSCRIPTION).map((field) => [
        'POST',
        '/subscriptions',
        { ...SUBSCRIPTION, [field]: undefined },
      ]),
    ),
  ).toEqual(aboutEach(Object.keys(SUBSCRIPTION)));
  expect(
    await complaints([
      ['PATCH', path, { live: true }],
      ['PATCH', path, { signing_secret: secretOf(32) }],
    ]),
  ).toEqual(aboutEach(['live', 'signing_secret']));
  expect((await service.call('GET', '/subscriptions')).body).toEqual({ subscriptions: [before] });
});

test('a wrong secret, a URL with credentials, without https, to a private address or to no host, and an unknown field are refused; an endpoint that fails shows so in its test ping', async () => {
  for (const [wrong, status, about] of [
    [{ signing_secret: 'whsec_***' }, 400, 'signing_secret'],
    [{ callback_url: 'https://user:password@shop.example/' }, 422, 'user'],
    [{ callback_url: 'http://shop.example/' }, 422, 'https'],
    [{ callback_url: 'https://10.0.0.1/' }, 422, 'address'],
    [{ callback_url: 'https://shop.invalid/' }, 422, 'shop.invalid'],
    [{ callback: 'https://shop.example/' }, 400, 'callback'],
  ] as const) {
    const answer = await service.call('POST', '/subscriptions', { ...SUBSCRIPTION, ...wrong });
    expect({ wrong, status: answer.status }).toEqual({ wrong, status });
    expect(JSON.stringify(answer.body)).toContain(about);
  }
  expect((await service.call('GET', '/subscriptions')).body).toEqual({ subscriptions: [] });

  onArrival(() => ({ status: 403 }));
  const { id } = await service.subscribe(partner.url('refusing'));
  const { message_id } = (await service.call('POST', `/subscriptions/${id}/ping`)).body;
  const ping = await eventually('the ping has ended', async () => {
    const message = await service.message(message_id);
    return message.state === 'exhausted' && message;
  });
  expect(ping.attempts).toMatchObject([{ attempt: 1, status_code: 403 }]);
});

test('a secret too short, too long, unencoded or of another kind is refused and not repeated', async () => {
  const { id } = await service.subscribe(SUBSCRIPTION.callback_url);
  const secrets = [secretOf(23), secretOf(65), 'whsec_***', `whsk_${'A'.repeat(32)}`, 'A'.repeat(32), ''];
  for (const signing_secret of secrets) {
    for (const answer of [
      await service.call('POST', '/subscriptions', { ...SUBSCRIPTION, signing_secret }),
      await service.call('POST', `/subscriptions/${id}/secrets`, { signing_secret }),
    ]) {
      expect(answer).toMatchObject({ status: 400, body: { errors: [{ field: 'signing_secret' }] } });
      expect(JSON.stringify(answer.body)).not.toContain(signing_secret || 'whsk_');
    }
  }
  expect(
    await complaints(
      [-1, 604_801, 1.5, '60'].map((overlap_seconds) => [
        'POST',
        `/subscriptions/${id}/secrets`,
        { overlap_seconds },
      ]),
    ),
  ).toEqual(aboutEach(Array(4).fill('overlap_seconds')));
});

test('each list names the parameter that is invalid, unknown or given twice', async () => {
  const { id } = await service.subscribe(SUBSCRIPTION.callback_url);
  const limits = ['0', '101', '-1', '1.5', 'ten', ''].map((limit) => ['limit', `limit=${limit}`] as const);
  const cursors = ['', 'nonsense', '%00', 'a'.repeat(2_000)].map(
    (cursor) => ['cursor', `cursor=${cursor}`] as const,
  );
  const common = [...limits, ...cursors, ['colour', 'colour=blue'], ['limit', 'limit=1&limit=2']] as const;
  const ofMessages = [
    ['state', 'state=sneezed'],
    ['state', 'state=succeeded&state=exhausted'],
    ['event_type', 'event_type=card_payment_sneezed'],
    ['event_type', 'event_type=*'],
    ['since', 'since=yesterday'],
    ['since', 'since=2026-02-30T00:00:00Z'],
    ['until', 'until=1'],
    ['until', 'since=2026-01-02T00:00:00Z&until=2026-01-01T00:00:00Z'],
  ] as const;
  const lists: readonly (readonly [string, readonly (readonly [string, string])[]])[] = [
    [`/subscriptions/${id}/messages?`, [...common, ...ofMessages, ['payment_id', 'payment_id=a%20b']]],
    ['/messages?payment_id=pay_1&', [...common, ...ofMessages]],
    ['/changes?', [...common, ['subscription_id', 'subscription_id=1']]],
    ['/payments/pay_1?', common],
    // Lists that have one page.
    ['/subscriptions?', [['colour', 'colour=blue']]],
    ['/portal-sessions?', [['colour', 'colour=blue']]],
    ['/messages?', [['payment_id', '']]],
  ];
  for (const [path, cases] of lists) {
    const requests = cases.map(([, query]) => ['GET', `${path}${query}`] as const);
    expect({ path, answers: await complaints(requests) }).toEqual({
      path,
      answers: aboutEach(cases.map(([field]) => field)),
    });
  }
});

test('statistics are by hour or by day, and every period is there', async () => {
  const { id } = await service.subscribe(SUBSCRIPTION.callback_url);
  const path = `/subscriptions/${id}/statistics`;
  const queries = ['by=week', 'by=', 'by=Hour', 'by=hour&by=day', 'since=2026-01-01T00:00:00Z'];
  expect(await complaints(queries.map((query) => ['GET', `${path}?${query}`]))).toEqual(
    aboutEach(['by', 'by', 'by', 'by', 'since']),
  );
  const nothing = { delivered: 0, failed_attempts: 0, exhausted: 0, cancelled: 0 };
  for (const [query, hours] of [
    ['', 1],
    ['?by=hour', 1],
    ['?by=day', 24],
  ] as const) {
    const { body } = await service.call('GET', `${path}${query}`);
    const starts = body.periods.map(({ since }: { since: string }) => Date.parse(since));
    expect(starts.every((start: number) => start % (hours * 3_600_000) === 0)).toBe(true);
    expect(body).toMatchObject({ waiting: { count: 0, is_more: false } });
    expect(body.periods.at(-1)).toMatchObject(nothing);
  }
});

test('what does not exist can be neither read nor sent again', async () => {
  const { id } = await service.subscribe(SUBSCRIPTION.callback_url);
  const requests = [
    ['GET', '/messages/msg_none'],
    ['POST', '/messages/msg_none/resend'],
    ['POST', '/messages/msg_none/cancel'],
    ['GET', '/messages/sub_none'],
    ['GET', '/messages/%00'],
    ['GET', '/payments/pay_none'],
    ['GET', `/subscriptions/${id}/recoveries/rec_none`],
    ['DELETE', `/subscriptions/${id}/secrets/sec_none`],
    ['DELETE', '/portal-sessions/ses_none'],
  ] as const;
  expect(await complaints(requests)).toEqual(requests.map(() => ({ status: 404, fields: undefined })));
  const since = '2026-11-01T00:00:00Z';
  const recoveries = [{}, { since: 'yesterday' }, { since, until: 'x' }, { since, id: 1 }, { since: null }];
  expect(
    await complaints(recoveries.map((body) => ['POST', `/subscriptions/${id}/recoveries`, body])),
  ).toEqual(aboutEach(['since', 'since', 'until', 'id', 'since']));
});
