import fc from 'fast-check';
import { malformed, type Sample, unreadable, valid, type Where } from '../play.ts';

const word = fc.nat(999);

/** A valid value of each field that can be changed. */
const FIELDS: Readonly<Record<string, fc.Arbitrary<(at: Where) => unknown>>> = {
  callback_url: word.map(
    (n) =>
      ({ tested, service }: Where) =>
        `${tested.acceptedUrl}/${service.own}/${n}`,
  ),
  description: word.map(
    (n) =>
      ({ service }: Where) =>
        `${service.own} <b>${n}</b> 日本`,
  ),
  event_types: fc
    .constantFrom(['*'], ['card_payment_*'], ['card_payment_captured', 'card_payment_refunded'])
    .map((types) => () => types),
  timeout_ms: fc.constantFrom(1_000, 10_000, 30_000).map((ms) => () => ms),
  schedule: fc.constantFrom('standard', 'govuk').map((name) => () => name),
  rate_limit: fc.constantFrom(1, 100).map((limit) => () => limit),
  contact: word.map(
    (n) =>
      ({ service }: Where) =>
        `${service.own}-${n}@example.com`,
  ),
  custom_headers: word.map((n) => ({ service }: Where) => ({ 'x-key': `hidden-${service.own}-${n}` })),
  extra_signatures: fc.constantFrom([], ['v1a'], ['v1a', 'pay-signature']).map((names) => () => names),
};

/** One invalid field each. */
const FAULTS: readonly Readonly<Record<string, unknown>>[] = [
  ...['ftp://a.example/', 'https://a.example/%00', 7, null, ''].map((callback_url) => ({ callback_url })),
  ...['x'.repeat(201), 'a\nb', '\u202e', '\ud800', {}].map((description) => ({ description })),
  ...[[], ['nothing'], ['*', 7], Array.from({ length: 21 }, () => '*'), '*'].map((event_types) => ({
    event_types,
  })),
  ...[999, 30_001, 1_000.5, '1000', null].map((timeout_ms) => ({ timeout_ms })),
  ...['never', 1].map((schedule) => ({ schedule })),
  ...[0, 101, -1, 1.5, '1'].map((rate_limit) => ({ rate_limit })),
  ...['nobody', `${'x'.repeat(65)}@example.com`].map((contact) => ({ contact })),
  ...[{ host: 'a' }, { 'x-a': 'a\r\nb' }, { 'webhook-id': '1' }, [], { constructor: 'a' }].map(
    (custom_headers) => ({
      custom_headers,
    }),
  ),
  ...[['v1a', 'v1a'], ['v2'], 'v1a'].map((extra_signatures) => ({ extra_signatures })),
  { colour: 'red' },
];

/** Refused by the guard: in all stages, and without a look-up. */
const REFUSED_URLS = [
  'https://10.0.0.1/',
  'https://user@a.example/',
  'https://a.example/#a',
  'https://169.254.169.254/',
];

const some = (names: readonly string[]) =>
  fc.tuple(fc.subarray([...names]), fc.record(FIELDS)).map(
    ([chosen, fields]) =>
      (at: Where) =>
        Object.fromEntries(chosen.map((name) => [name, fields[name]?.(at)])),
  );

const names = Object.keys(FIELDS);
const required = ['callback_url', 'event_types'];
const whole = fc.tuple(some(names), fc.record(FIELDS), fc.boolean()).map(
  ([chosen, fields, live]) =>
    (at: Where): Record<string, unknown> => ({
      ...Object.fromEntries(required.map((name) => [name, fields[name]?.(at)])),
      ...chosen(at),
      live,
    }),
);

/** A valid body, made invalid. */
const faulty = (body: fc.Arbitrary<(at: Where) => object>): fc.Arbitrary<Sample<unknown>> =>
  fc
    .tuple(body, fc.constantFrom(...FAULTS))
    .map(([of, fault]) => ({ value: (at) => ({ ...of(at), ...fault }), refusal: 'malformed-request' }));

const leading = (body: fc.Arbitrary<(at: Where) => object>): fc.Arbitrary<Sample<unknown>> =>
  fc
    .tuple(body, fc.constantFrom(...REFUSED_URLS))
    .map(([of, callback_url]) => valid((at) => ({ ...of(at), callback_url })));

export const isRefusedUrl = (url: unknown): boolean => REFUSED_URLS.includes(String(url));

/** A URL to be checked, accepted or refused; a body without one is malformed. */
export const urlBody: fc.Arbitrary<Sample<unknown>> = fc.oneof(
  {
    weight: 2,
    arbitrary: word.map((n) => valid(({ tested }) => ({ callback_url: `${tested.acceptedUrl}/${n}` }))),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(...REFUSED_URLS).map((callback_url) => valid(() => ({ callback_url }))),
  },
  { weight: 1, arbitrary: fc.constantFrom(malformed({}), malformed({ callback_url: 7 })) },
  { weight: 1, arbitrary: unreadable },
);

export const newBody: fc.Arbitrary<Sample<unknown>> = fc.oneof(
  { weight: 8, arbitrary: whole.map((of) => valid(of)) },
  { weight: 2, arbitrary: faulty(whole) },
  { weight: 1, arbitrary: leading(whole) },
  { weight: 1, arbitrary: fc.constantFrom(malformed(''), malformed({}), malformed({ live: true })) },
  { weight: 1, arbitrary: unreadable },
);

const removing = fc
  .constantFrom('rate_limit', 'contact', 'custom_headers')
  .map((name) => valid(() => ({ [name]: null })));

export const changeBody: fc.Arbitrary<Sample<unknown>> = fc.oneof(
  { weight: 8, arbitrary: some(names).map((of) => valid(of)) },
  { weight: 2, arbitrary: removing },
  { weight: 2, arbitrary: faulty(some(names)) },
  { weight: 1, arbitrary: leading(some(names)) },
  { weight: 1, arbitrary: fc.constantFrom(malformed(''), malformed({ live: true })) },
  { weight: 1, arbitrary: unreadable },
);
