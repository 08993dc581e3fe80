import { DELIVERY_POLICY } from '../../../../functions/core/attempt/delivery-policy.ts';
import type { CompiledSchema, SchemaChecks } from '../../../../functions/core/catalogue/schema-check.ts';
import { recordOf } from '../../../../functions/core/message/outcome.ts';
import { match } from '../../../../functions/pipeline/match/match.ts';
import { OffSchema } from '../../../../functions/pipeline/match/off-schema.ts';
import { intake, paymentEvent } from '../../../support/builders.ts';
import { world } from './world.ts';

/** Every resource has to be small. */
const checks = (refuses: boolean): SchemaChecks => ({
  refuses,
  of: () => ({ validate: small, names: ['amount'] }),
});
const small: CompiledSchema['validate'] = (value) => {
  const { amount } = value as { amount: number };
  small.errors = [{ instancePath: '/amount', keyword: 'maximum', params: {} }];
  return amount <= 100;
};

const BIG = '{"amount":9007199254740993.10}';
const record = (resource: string, over: Parameters<typeof paymentEvent>[0] = {}) => {
  const event = paymentEvent(over);
  const body = JSON.stringify(event).replace('{"amount":1000}', resource);
  return intake(body, { recordId: `record of ${event.event_id}` });
};

test('what does not fit is delivered as it is, with a mark that is put on record', async () => {
  const { ports, sent, observed } = world();
  const some = [record(BIG), record('{"amount":1}', { event_id: 'evt-2' })];
  await match(some, { ...ports, schemas: checks(false) }, DELIVERY_POLICY);
  expect(sent.map(({ resource, schema_error }) => [resource, schema_error])).toEqual([
    [BIG, '/amount: maximum'],
    ['{"amount":1}', undefined],
  ]);
  expect(recordOf(sent[0]!).schema_error).toBe('/amount: maximum');
  expect(observed[0]?.matched.map(({ event }) => event.schema_error)).toEqual([
    '/amount: maximum',
    undefined,
  ]);
});

test('or is dead-lettered with where and why, and no value', async () => {
  const { ports, sent, deadLettered } = world();
  await match([record(BIG)], { ...ports, schemas: checks(true) }, DELIVERY_POLICY);
  expect(sent).toEqual([]);
  expect(deadLettered).toMatchObject([
    {
      reason: 'malformed',
      explanation: 'resource: does not fit the schema of card_payment_captured: /amount: maximum',
    },
  ]);
});

test('an early event keeps its mark until its turn', async () => {
  const { ports, sent } = world();
  const marking = { ...ports, schemas: checks(false) };
  await match([record(BIG, { event_id: 'evt-2', sequence: 2 })], marking, DELIVERY_POLICY);
  await match([record('{"amount":1}', { sequence: 1 })], marking, DELIVERY_POLICY);
  expect(sent.map(({ event_id, schema_error }) => [event_id, schema_error])).toEqual([
    ['evt-1', undefined],
    ['evt-2', '/amount: maximum'],
  ]);
});

test('of a type, a line a minute says how many there were', () => {
  const log = new OffSchema();
  const event = (public_type: string) => ({ ...paymentEvent(), public_type }) as never;
  const lines = (types: readonly string[], nowMs: number) =>
    log.toLog(types.map(event), nowMs).map(({ event: { public_type }, count }) => [public_type, count]);
  expect(lines(['paid', 'paid', 'sent'], 0)).toEqual([
    ['paid', 1],
    ['sent', 1],
  ]);
  expect(lines(['paid'], 59_999)).toEqual([]);
  expect(lines(['paid', 'paid'], 60_000)).toEqual([['paid', 3]]);
});
