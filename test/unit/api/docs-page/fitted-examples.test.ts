import { fittedExamples } from '../../../../functions/api/docs-page/page/fitted-examples.ts';
import { openApiDocument } from '../../../../functions/api/openapi/document.ts';
import { EXAMPLE_URL, EXAMPLES_AT } from '../../../../functions/api/openapi/examples/things.ts';
import { selectionOf } from '../../../../functions/core/api/recovery-request.ts';
import { vetCallbackUrl } from '../../../../functions/core/subscription/callback-url.ts';
import { GOV_UK_PAY } from '../../../support/gov-uk-pay.ts';

const document = JSON.stringify(openApiDocument(GOV_UK_PAY.types));
const DEPLOYED = 'abc123.execute-api.eu-west-1.amazonaws.com';
const HOUR_MS = 3_600_000;

interface Tried {
  readonly callback_url: string;
  readonly since: string;
}

/** The prefilled body of an operation, as the page has it. */
function prefilled(path: string, hostname: string, nowMs: number): Tried {
  const { paths } = JSON.parse(fittedExamples(document, hostname, nowMs));
  return paths[path].post.requestBody.content['application/json'].example;
}

test('a deployed stage keeps the callback URL of the example', () => {
  const { callback_url: url } = prefilled('/v1/subscriptions', DEPLOYED, Date.now());
  expect(url).toBe(EXAMPLE_URL);
  expect(vetCallbackUrl({ url, live: false }, { allowedPorts: [443], allowLoopback: false }).kind).toBe(
    'accepted',
  );
});

test.each(['localhost', '127.0.0.1', '[::1]'])(
  'a stage at %s is sent to a receiver on the same machine',
  (hostname) => {
    const { callback_url: url } = prefilled('/v1/subscriptions', hostname, Date.now());
    expect(url).toBe('http://localhost:8080/webhooks');
    expect(vetCallbackUrl({ url, live: false }, { allowedPorts: [443], allowLoopback: true }).kind).toBe(
      'accepted',
    );
  },
);

test.each(['2026-11-21T09:00:00Z', '2026-11-21T10:15:00Z', '2027-02-28T23:59:59Z', '2031-07-01T00:00:00Z'])(
  'at %s the example of a recovery spans the last day, whatever a stage keeps',
  (now) => {
    const nowMs = Date.parse(now);
    const { since } = prefilled('/v1/subscriptions/{subscription_id}/recoveries', DEPLOYED, nowMs);
    expect(selectionOf({ since }, nowMs, 1)).toHaveProperty('selection');
  },
);

test('all times in the examples are shifted by the same whole hours, and keep their format', () => {
  const instants = (text: string) => text.match(/\d{4}-\d\d-\d\dT[\d:.]+Z/g) ?? [];
  const nowMs = Date.parse('2027-05-05T12:34:56Z');
  const moved = instants(fittedExamples(document, DEPLOYED, nowMs));
  const shifts = instants(document).map(
    (instant, index) => Date.parse(moved[index] ?? '') - Date.parse(instant),
  );
  expect(new Set(shifts).size).toBe(1);
  expect((shifts[0] ?? 0) % HOUR_MS).toBe(0);
  expect(nowMs - (Date.parse(EXAMPLES_AT) + (shifts[0] ?? 0))).toBeLessThan(HOUR_MS);
  expect(moved.map((instant) => instant.length)).toEqual(instants(document).map((instant) => instant.length));
});

test('all times in the examples are in the past, except those at which something expires or a wait ends', () => {
  const later = [...document.matchAll(/"(\w+)":"(\d{4}-\d\d-\d\dT[\d:.]+Z)"/g)].filter(
    ([, , instant = '']) => Date.parse(instant) > Date.parse(EXAMPLES_AT),
  );
  expect(new Set(later.map(([, name]) => name))).toEqual(
    new Set(['expires_at', 'next_awaited_until', 'waits_until', 'until']),
  );
});
