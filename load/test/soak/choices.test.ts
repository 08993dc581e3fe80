import { messageId } from '../../../functions/core/message/message.ts';
import type { MessageSummary } from '../../../functions/core/message/message-view.ts';
import { type Choice, departures, expectedOfGuests, type Guest } from '../../soak/choices.ts';

const MINUTE_MS = 60_000;
const choice = (minute: number, ...eventTypes: string[]): Choice => ({
  askedAtMs: minute * MINUTE_MS,
  answeredAtMs: minute * MINUTE_MS + 500,
  eventTypes,
});
const guestOf = (...choices: Choice[]): Guest => ({
  subscriptionId: 'sub_1',
  endpoint: 'host-guest-1',
  choices,
});
const guest = guestOf(choice(10, '*'), choice(20, 'card_payment_captured'), choice(30, '*'), choice(40));
const ID = messageId({
  service_id: 'host',
  payment_id: 'pay_1',
  event_id: 'event_1',
  subscription_id: 'sub_1',
});

function toldOf(minute: number, { isOnRecord = false, eventType = 'PAYMENT_STARTED', given = guest } = {}) {
  const sentAtMs = minute * MINUTE_MS;
  const event = {
    serviceId: 'host',
    eventId: 'event_1',
    paymentId: 'pay_1',
    sequence: 1,
    eventType,
    sentAtMs,
    confirmedAtMs: sentAtMs + 100,
  };
  const recorded = new Map(isOnRecord ? [[ID, {} as MessageSummary]] : []);
  const { expected, unwanted } = expectedOfGuests([given], [event], recorded);
  return { expected: expected.map(({ messageId: id }) => id), unwanted };
}

test.each([
  ['after the answer that created it', 11],
  ['long before it left', 35],
])('an event is expected %s, whether it is on record or not', (_, minute) => {
  expect(toldOf(minute)).toEqual({ expected: [ID], unwanted: [] });
  expect(toldOf(minute, { isOnRecord: true })).toEqual({ expected: [ID], unwanted: [] });
});

test.each([
  ['just before it was created', 9.9],
  ['just before other types', 19],
  ['just before other types that includes it', 29],
  ['just before it left', 39],
])('an event that came %s is expected if it is on record', (_, minute) => {
  expect(toldOf(minute)).toEqual({ expected: [], unwanted: [] });
  expect(toldOf(minute, { isOnRecord: true })).toEqual({ expected: [ID], unwanted: [] });
});

test.each([
  ['long before it was created', 5],
  ['when it wants other types', 25],
  ['after it left', 41],
])('an event that came %s must not be on record', (_, minute) => {
  expect(toldOf(minute)).toEqual({ expected: [], unwanted: [] });
  expect(toldOf(minute, { isOnRecord: true }).unwanted).toEqual([ID]);
});

test('other types leaves alone what is in both', () => {
  expect(toldOf(19.9, { eventType: 'CAPTURE_CONFIRMED' }).expected).toEqual([ID]);
  expect(toldOf(25, { eventType: 'CAPTURE_CONFIRMED' }).expected).toEqual([ID]);
});

test('while a call has no answer, it may have been executed or not', () => {
  const given = guestOf(choice(10, '*'), { askedAtMs: 20 * MINUTE_MS, eventTypes: [] });
  expect(toldOf(15, { given }).expected).toEqual([ID]);
  expect(toldOf(50, { given })).toEqual({ expected: [], unwanted: [] });
  expect(toldOf(50, { given, isOnRecord: true })).toEqual({ expected: [ID], unwanted: [] });
});

test('those whose last choice is to have nothing have left', () => {
  expect(departures([guest, { ...guestOf(choice(1, '*')), subscriptionId: 'sub_2' }])).toEqual(
    new Map([['sub_1', choice(40)]]),
  );
});
