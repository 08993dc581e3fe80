import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import {
  messageIn,
  messageItem,
  readMessage,
} from '../../../../../functions/adapters/dynamodb/history/message-item.ts';
import { packed, unpacked } from '../../../../../functions/adapters/dynamodb/history/stored-resource.ts';
import type { Item } from '../../../../../functions/adapters/dynamodb/marshalled.ts';
import { NewerFormatError } from '../../../../../functions/core/event/format-version.ts';
import { type MessageRecord, messageRecordSchema } from '../../../../../functions/core/message/history.ts';
import { LARGEST_RESOURCE_BYTES } from '../../../../../functions/core/message/message.ts';
import { afterAttempt, recordOf } from '../../../../../functions/core/message/outcome.ts';
import { itemBytes } from '../../../../simulation/aws/metering/item-size.ts';
import { message } from '../../../../support/builders.ts';

/** In the form of GOV.UK Pay, with everything that it shows of a payment that went well. Invented. */
const PAYMENT = {
  payment_id: 'pay_7mQ2wXc0Vb4nRt6yKj8h',
  amount: 14_599,
  description: 'Parking permit, zone C, for two years',
  reference: 'PERMIT-2026-00017',
  language: 'en',
  metadata: { ledger_code: 'PK-204', internal_reference_number: 7_717 },
  email: 'ada.lovelace@mail.example',
  state: { status: 'success', finished: true },
  payment_provider: 'worldpay',
  created_date: '2026-11-14T09:58:41.207Z',
  refund_summary: { status: 'available', amount_available: 14_599, amount_submitted: 0 },
  settlement_summary: { capture_submit_time: '2026-11-14T09:59:30.118Z', captured_date: '2026-11-14' },
  card_details: {
    last_digits_card_number: '4242',
    first_digits_card_number: '511111',
    cardholder_name: 'Ada Lovelace',
    expiry_date: '07/29',
    billing_address: {
      line1: '12 St James’s Square',
      line2: 'Second floor',
      postcode: 'SW1Y 4JH',
      city: 'London',
      country: 'GB',
    },
    card_brand: 'Mastercard',
    card_type: 'credit',
    wallet_type: 'Google Pay',
  },
  delayed_capture: false,
  moto: false,
  provider_id: 'd6f2a1c4-9e07-4b7c-8a53-2f1e0c9b7d66',
  return_url: 'https://permits.example/applications/7717/paid',
  authorisation_mode: 'web',
  card_brand: 'Mastercard',
  authorisation_summary: { three_d_secure: { required: false } },
  exemption: { requested: false },
};

const ANSWERED = { started_at: '2026-11-14T10:00:00.007Z', duration_ms: 93, status_code: 200 };

/** A message that its endpoint accepted at once. */
function delivered(over: Parameters<typeof message>[0] = {}): MessageRecord {
  const attempt = { attempt: 1, ...ANSWERED, response_body: 'thanks' };
  return afterAttempt(recordOf(message(over)), attempt, { state: 'succeeded' }, Date.UTC(2026, 10, 14, 10));
}

const readBack = (item: Item) => readMessage(item, messageRecordSchema);

test('a payment of 1.1 KB is an item of less than 1 KB: one write unit', () => {
  const payment_id = 'pay_7mQ2wXc0Vb4nRt6yKj8h';
  const resource = JSON.stringify(PAYMENT);
  expect(Buffer.byteLength(resource)).toBeGreaterThan(1_100);
  const item = messageItem(
    delivered({
      payment_id,
      resource_id: payment_id,
      event_id: 'evt_4fJq8sYt2LkWc9dHb3Zx7v',
      service_id: 'svc_0d3fA9kLq2',
      subscription_id: 'sub_Jd83nKs0aPqLwMx5Tz2vYb',
      order_number: '18893000000000000000',
      resource,
    }),
  );
  const bytes = (stored: unknown) =>
    itemBytes({ ...item, resource: stored, remove_at_epoch_seconds: 1_800_000_000 });
  expect(bytes(item.resource)).toBeLessThan(1_024);
  // The dictionary earns its place.
  expect(bytes(deflateRawSync(resource))).toBeGreaterThan(1_024);
});

test.each<[string, MessageRecord]>([
  ['of a payment', delivered()],
  ['of a refund', delivered({ resource_type: 'refund', resource_id: 're-1' })],
  ['that waits', { ...recordOf(message()), state: 'parked', attempt_count: 0 }],
  ['whose resource is stored apart', delivered({ resource: undefined })],
  [
    'with another attempt since',
    { ...delivered(), attempt_count: 2, last_attempt_at: '2026-11-14T10:00:05.000Z' },
  ],
  [
    'whose first attempt got no answer',
    afterAttempt(
      recordOf(message()),
      { ...ANSWERED, attempt: 1, status_code: undefined, failure_class: 'timeout', failure_reason: '10 s' },
      { state: 'retrying', nextAttemptAtMs: 0 },
      0,
    ),
  ],
])('a record %s is read back as it was written', (_, record) => {
  expect(readBack(messageItem(record))).toEqual(JSON.parse(JSON.stringify(record)));
});

test('whatever a resource says comes back, byte for byte', () => {
  fc.assert(
    fc.property(fc.json({ noUnicodeString: false }), (text) => expect(unpacked(packed(text))).toBe(text)),
  );
});

test('what the index of undelivered messages has names the state in its key', () => {
  const { state: _, ...indexed }: Item = { ...messageItem(delivered()), undelivered: 'sub_1#exhausted' };
  expect(messageIn(indexed)).toMatchObject({ state: 'exhausted' });
});

test('what an index has of a message names the message, and what its resource is', () => {
  const { resource: _, first_attempt: __, ...indexed } = messageItem(delivered());
  const { message_id, resource_type, resource_id } = delivered();
  expect(messageIn(indexed)).toMatchObject({ message_id, resource_type, resource_id });
});

describe('a reason, and none of what it says, is told of an item', () => {
  const { message_id } = delivered();
  const broken = (over: Item) => readBack({ ...messageItem(delivered()), ...over }) as Error;
  const stored = (text: string | Buffer, dictionary = 1) =>
    Buffer.concat([Buffer.of(dictionary), deflateRawSync(text)]);

  test.each<[string, Item, string]>([
    [
      'whose resource has a dictionary of later code',
      { resource: stored('{}', 2) },
      'its resource has dictionary 2, known: 1 to 1',
    ],
    ['without a resource in it', { resource: Buffer.alloc(0) }, 'its resource has dictionary undefined'],
    [
      'that does not decompress',
      { resource: Buffer.from([1, 255, 255, 255]) },
      'its resource does not decompress: Z_DATA_ERROR',
    ],
    [
      'that would fill the memory',
      { resource: stored(Buffer.alloc(LARGEST_RESOURCE_BYTES + 1)) },
      'its resource does not decompress: ERR_BUFFER_TOO_LARGE',
    ],
    ['with a format that makes no sense', { body_format: 'one' }, 'see body_format'],
  ])('%s', (_, over, reason) => {
    const { message: told } = broken(over);
    expect(told).toContain(`message_id ${message_id}: cannot be read; `);
    expect(told).toContain(reason);
  });

  test('whose body is composed in a way of later code, which is left to that code', () => {
    const error = broken({ body_format: 2 });
    expect(error).toBeInstanceOf(NewerFormatError);
    expect(error.message).toBe(`message ${message_id}: its body has format 2, known: 1 to 1`);
  });
});
