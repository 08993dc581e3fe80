import { errorAt } from '../../../console/api/failure.ts';
import {
  changeOf,
  choicesOf,
  draftOf,
  EMPTY,
  errorsIn,
  requestOf,
} from '../../../console/subscriptions/form/draft.ts';
import { subscriptionRequestSchema } from '../../../functions/core/subscription/new-subscription.ts';
import { subscriptionChangeSchema } from '../../../functions/core/subscription/subscription-change.ts';
import { subscriptionView } from '../../../functions/core/subscription/subscription-view.ts';
import { subscription } from '../../support/builders.ts';

const view = subscriptionView(
  subscription({ rate_limit: 5, contact: 'ops@shop.example', custom_header_names: ['x-tenant'] }),
  0,
);

test('an empty form with a URL is a request that the API takes', () => {
  const request = requestOf({ ...EMPTY, callback_url: ' https://shop.example/webhooks ' });
  expect(subscriptionRequestSchema.parse(request)).toMatchObject({
    callback_url: 'https://shop.example/webhooks',
    event_types: ['*'],
    live: false,
  });
});

test('a form that nobody touched changes nothing', () => {
  expect(changeOf(view, draftOf(view))).toEqual({});
});

test('only what was changed is sent, so that what others change meanwhile stays', () => {
  const change = changeOf(view, { ...draftOf(view), description: 'new', rate_limit: '', contact: ' ' });
  expect(change).toEqual({ description: 'new', rate_limit: null, contact: null });
  expect(subscriptionChangeSchema.safeParse(change).success).toBe(true);
});

test('headers are replaced as a whole, or stay', () => {
  const headers = [{ name: ' x-other ', value: 'a b' }];
  expect(changeOf(view, { ...draftOf(view), custom_headers: headers })).toEqual({
    custom_headers: { 'x-other': 'a b' },
  });
  expect(changeOf(view, { ...draftOf(view), custom_headers: [] })).toEqual({ custom_headers: null });
});

test.each([
  ['10 s', '', { timeout_ms: 'must be a number' }],
  ['', 'ten', { timeout_ms: 'must be a number', rate_limit: 'must be a number' }],
  [' 5000 ', ' ', {}],
  ['0x10', '2.5', { timeout_ms: 'must be a number' }],
])(
  'with %j as the longest attempt and %j as the rate limit the form says %j',
  (timeout_ms, rate_limit, errors) => {
    expect(errorsIn({ ...EMPTY, timeout_ms, rate_limit })).toEqual(errors);
  },
);

describe('a filter and fields', () => {
  const filter = '{"resource":{"amount":[{"numeric":[">",100]}]}}';
  const chosen = subscriptionView(subscription({ filter, fields: ['/amount', '/a b'] }), 0);

  test('are shown as they are, and stay while nobody changes them', () => {
    expect(draftOf(chosen)).toMatchObject({
      filter: expect.stringMatching(/^{\n {2}"resource": {\n/),
      fields: '/amount\n/a b',
    });
    expect(changeOf(chosen, draftOf(chosen))).toEqual({});
  });

  test('are sent as the API takes them, with every digit, and removed when they are empty', () => {
    const typed = {
      ...EMPTY,
      filter: ' {"resource":{"amount":[0.1000000000000000055]}}',
      fields: ' /a b \n\n/c',
    };
    expect(JSON.stringify(requestOf(typed))).toContain(
      '"filter":{"resource":{"amount":[0.1000000000000000055]}},"fields":["/a b","/c"]',
    );
    expect(changeOf(chosen, { ...draftOf(chosen), filter: ' ', fields: '' })).toEqual({
      filter: null,
      fields: null,
    });
  });

  test('say what is wrong, and where', () => {
    expect(errorsIn({ ...EMPTY, filter: 'amount > 100' })).toEqual({
      filter: expect.stringMatching(/^must be JSON: /),
    });
    const errors = { 'filter.resource.amount': 'must not be empty', 'fields.0': 'must be text' };
    expect([errorAt('filter', errors), errorAt('fields', errors, false), errorAt('contact', errors)]).toEqual(
      ['resource.amount must not be empty', 'must be text', undefined],
    );
  });
});

test('a header that is given twice is named', () => {
  const custom_headers = ['x-a', 'X-A '].map((name) => ({ name, value: '1' }));
  expect(errorsIn({ ...EMPTY, custom_headers })).toEqual({
    custom_headers: 'X-A is given twice: case makes no difference',
  });
});

describe('what can be ticked', () => {
  const paid = {
    event_type: 'invoice.paid',
    description: 'It was paid.',
    group: 'Invoices',
    deprecated: false,
  };
  const sent = {
    event_type: 'invoice.sent',
    description: 'It was sent.',
    deprecated: true,
    successor: 'invoice.mailed',
  };

  test('are the types that nobody advises against', () => {
    expect(choicesOf([paid, sent], ['*'])).toEqual([
      { pattern: 'invoice.paid', text: 'It was paid.', group: 'Invoices' },
    ]);
  });

  test('and whatever a subscription has already', () => {
    expect(choicesOf([paid, sent], ['invoice.*', 'invoice.sent', 'gone'])).toEqual([
      { pattern: 'invoice.paid', text: 'It was paid.', group: 'Invoices' },
      { pattern: 'invoice.sent', text: 'It was sent. Deprecated: use invoice.mailed.' },
      { pattern: 'invoice.*', text: 'all types that begin so' },
      { pattern: 'gone', text: 'There is no such type any more.' },
    ]);
  });
});
