import { readFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { DESCRIBED as OPERATIONS } from '../../../../functions/api/openapi/described.ts';
import { openApiDocument } from '../../../../functions/api/openapi/document.ts';
import {
  ANSWER_EXAMPLES,
  BODY_EXAMPLES,
  WEBHOOK_EXAMPLE,
} from '../../../../functions/api/openapi/examples/examples.ts';
import { EXAMPLE_URL } from '../../../../functions/api/openapi/examples/things.ts';
import { webhookBodySchema } from '../../../../functions/api/openapi/webhook.ts';
import { descriptionOf } from '../../../../functions/api/operation.ts';
import { GOV_UK_PAY } from '../../../support/gov-uk-pay.ts';
import { OWN_TYPES } from '../../../support/own-types.ts';

const bodies = OPERATIONS.flatMap(({ id, body }) => (body === undefined ? [] : [[id, body] as const]));
const answers = OPERATIONS.flatMap(({ id }) =>
  Object.entries(descriptionOf({ id }).answers).flatMap(([status, { schema }]) =>
    schema === undefined ? [] : [[`${id}.${status}`, schema] as const],
  ),
);

test('each request body has an example, and nothing else has', () => {
  expect(Object.keys(BODY_EXAMPLES).sort()).toEqual(bodies.map(([id]) => id).sort());
});

test('each response body has an example, and nothing else has', () => {
  expect(Object.keys(ANSWER_EXAMPLES).sort()).toEqual(answers.map(([id]) => id).sort());
});

test.each(bodies)('the example for %s is valid', (id, schema) => {
  expect(z.safeParse(schema, BODY_EXAMPLES[id])).toMatchObject({ success: true });
});

test.each(answers)('the example of %s has exactly the fields of the response', (id, schema) => {
  expect(z.parse(schema, ANSWER_EXAMPLES[id])).toEqual(ANSWER_EXAMPLES[id]);
});

test('the example of a webhook is valid', () => {
  expect(z.parse(webhookBodySchema, WEBHOOK_EXAMPLE)).toEqual(WEBHOOK_EXAMPLE);
});

test('examples set nothing that is hard to undo', () => {
  for (const name of ['signing_secret', 'custom_headers', 'rate_limit', 'schedule', 'timeout_ms']) {
    expect(JSON.stringify(BODY_EXAMPLES)).not.toContain(`"${name}"`);
  }
  expect(BODY_EXAMPLES).toMatchObject({ createSubscription: { live: false } });
  expect(BODY_EXAMPLES).not.toHaveProperty('updateSubscription.callback_url');
});

const ONE = [{ name: 'invoice.paid', description: 'Paid in full.', resource_type: 'invoice' }];

test.each([
  ["GOV.UK Pay's types", GOV_UK_PAY.types, 'card_payment_started', 'payment'],
  ['own types', OWN_TYPES.types, 'invoice.paid', 'invoice'],
  ['a single type', ONE, 'invoice.paid', 'invoice'],
])('with %s, examples can be sent as they are', (_, types, first, resource_type) => {
  const { paths, webhooks } = openApiDocument(types);
  const text = JSON.stringify(paths).replaceAll('\\', '');
  const told = (member: string) =>
    new Set([...text.matchAll(new RegExp(`"${member}":"([^"]+)"`, 'g'))].map(([, value]) => value));
  expect([told('sample_of'), told('event_type')]).toEqual([new Set([first]), new Set([first])]);
  expect(told('resource_type')).toEqual(new Set([resource_type]));
  expect(text).toContain(`"event_types":["${first}"]`);
  expect(text + JSON.stringify(webhooks)).not.toMatch(/an\.event\.type|its\.resource/);
});

test('no number has a bound that comes only from JavaScript', () => {
  expect(JSON.stringify(openApiDocument(GOV_UK_PAY.types))).not.toContain(String(Number.MAX_SAFE_INTEGER));
});

test('all examples use one callback URL, which Schemathesis knows too', async () => {
  const document = JSON.stringify(openApiDocument(GOV_UK_PAY.types));
  const urls = [...document.matchAll(/"(https:\/\/[^"\s]*\/webhooks)"/g)].map(([, url]) => url);
  expect(new Set(urls)).toEqual(new Set([EXAMPLE_URL]));
  const hooks = path.join(import.meta.dirname, '../../../thorough/api/schemathesis/hooks.py');
  expect(await readFile(hooks, 'utf8')).toContain(`"${EXAMPLE_URL}"`);
});
