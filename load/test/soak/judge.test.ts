import type { Attempt } from '../../../functions/core/attempt/attempt.ts';
import type { MessageSummary } from '../../../functions/core/message/message-view.ts';
import type { Receipt } from '../../../functions/load-lab/receiver/receipt.ts';
import { judge } from '../../soak/judge.ts';
import { type Evidence, isSettled } from '../../soak/proof.ts';

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();

function message(number: number) {
  return {
    messageId: `msg_${number}`,
    eventId: `event_${number}`,
    paymentId: 'pay_1',
    subscriptionId: 'sub_1',
    sequence: number,
    sentAtMs: 0,
    group: 'good',
  };
}

function record(number: number, given: Partial<MessageSummary> = {}): [string, MessageSummary] {
  const known = {
    message_id: `msg_${number}`,
    event_id: `event_${number}`,
    subscription_id: 'sub_1',
    payment_id: 'pay_1',
    admitted_at: at(number),
    state: 'succeeded',
    attempt_count: 1,
    ...given,
  };
  return [known.message_id, known as MessageSummary];
}

function receipt(number: number, given: Partial<Receipt> = {}): Receipt {
  return {
    endpoint: 'good-0',
    number,
    received_at: at(10 * number),
    answered_at: at(10 * number + 1),
    status: 200,
    signature: 'valid',
    webhook_id: `msg_${number}`,
    ...given,
  };
}

const flat = { kind: 'Deliver', mb_per_hour: 0, grown_mb: 0, allowed_mb: 40, lived_hours: 1, samples: 5 };
const well: Evidence = {
  published: 2,
  gaps: [],
  isInterrupted: false,
  expected: [message(1), message(2)],
  confirmedAtMs: new Map(),
  recorded: new Map([record(1), record(2)]),
  receipts: [[receipt(1), receipt(2)]],
  attempts: new Map(),
  statistics: new Map([['sub_1', { delivered: 2, failed_attempts: 0, exhausted: 0, cancelled: 0 }]]),
  deadLetters: { deliveriesDeadLetters: 0 },
  trends: [flat],
  unproven: [],
  inDoubt: new Set(),
  departures: new Map(),
  unwanted: [],
};
const judged = (given: Partial<Evidence>) => judge({ ...well, ...given });

test('a run passes in which all published is delivered, in order, and counted alike everywhere', () => {
  expect(judge(well)).toMatchObject({
    outcome: 'passed',
    reasons: [],
    counts: { published: 2, delivered: 2 },
  });
});

const CUT_OFF = [
  { attempt: 1, started_at: at(15), duration_ms: 1, status_code: 200, earlier_may_be_missing: true },
];
const seenTwice = [[receipt(1), { ...receipt(2), status: undefined, answered_at: undefined }, receipt(2)]];

test('a second arrival of a message is cut off, if its attempts say so', () => {
  const attempts = new Map([['msg_2', CUT_OFF as readonly Attempt[]]]);
  expect(judged({ receipts: seenTwice as Receipt[][], attempts })).toMatchObject({
    outcome: 'passed',
    counts: { cut_off: 1, unrecorded: 0 },
  });
});

const turnedRound: Partial<Evidence> = {
  recorded: new Map([record(1, { admitted_at: at(3) }), record(2)]),
  receipts: [[receipt(2, { received_at: at(5), answered_at: at(6) }), receipt(1)]],
};
const cameAfter = (ms: number) => new Map([['event_1', ms]]);

test('an event that comes when a later one has waited long enough goes on late', () => {
  expect(judged({ ...turnedRound, confirmedAtMs: cameAfter(20_000) })).toMatchObject({
    outcome: 'passed',
    counts: { late: 1 },
  });
});

const DELETED_AT_MS = Date.parse(at(30));
const cancelled: Partial<Evidence> = {
  departures: new Map([
    ['sub_1', { askedAtMs: DELETED_AT_MS, answeredAtMs: DELETED_AT_MS + 100, eventTypes: [] }],
  ]),
  recorded: new Map([
    record(1),
    record(2, { state: 'cancelled', state_reason: 'deleted', attempt_count: 0, ended_at: at(31) }),
  ]),
  receipts: [[receipt(1)]],
  statistics: new Map([['sub_1', { delivered: 1, failed_attempts: 0, exhausted: 0, cancelled: 1 }]]),
};

test('what waits for a subscription that is deleted is cancelled', () => {
  expect(judged(cancelled)).toMatchObject({ outcome: 'passed', counts: { delivered: 1, cancelled: 1 } });
});

test('an attempt that was cut off is no fault, if the message that ended without another one says so', () => {
  const receipts = [[receipt(1), { ...receipt(2), status: undefined, answered_at: undefined }]];
  const cutOff = { ...cancelled, receipts: receipts as Receipt[][] };
  expect(judged({ ...cutOff, inDoubt: new Set(['msg_2']) })).toMatchObject({
    outcome: 'passed',
    counts: { cut_off: 1, unrecorded: 0 },
  });
  expect(judged(cutOff)).toMatchObject({ outcome: 'failed', counts: { unrecorded: 1 } });
});

test.each<[string, Partial<Evidence>, RegExp]>([
  [
    'cancelling for a subscription that stays',
    { ...cancelled, departures: new Map() },
    /1 messages were cancelled/,
  ],
  [
    'cancelling before the deletion',
    {
      ...cancelled,
      departures: new Map([['sub_1', { askedAtMs: DELETED_AT_MS + 2_000, eventTypes: [] }]]),
    },
    /1 messages were cancelled/,
  ],
  [
    'sending long after the deletion',
    { ...cancelled, receipts: [[receipt(1), receipt(2, { received_at: at(91), status: 503 })]] },
    /1 webhooks came more than a minute after their subscription was deleted \(msg_2\)/,
  ],
  ['sending what nobody wants', { unwanted: ['msg_2'] }, /1 messages are on record that .* did not want/],
  ['a lost event', { recorded: new Map([record(1)]) }, /1 messages are lost/],
  ['a receipt dropped', { receipts: [[receipt(1)]] }, /no receiver accepted/],
  ['an attempt off the record', { receipts: seenTwice as Receipt[][] }, /not on record/],
  ['overtaking', { receipts: [[receipt(2, { received_at: at(5) }), receipt(1)]] }, /overtook/],
  [
    'overtaking one that was admitted at once',
    {
      recorded: new Map([record(1), record(2, { admitted_at: at(1) })]),
      receipts: [[receipt(2, { received_at: at(5) }), receipt(1)]],
    },
    /1 messages overtook an earlier one of their payment \(msg_2\)/,
  ],
  [
    'going on late without need',
    { ...turnedRound, confirmedAtMs: cameAfter(19_999) },
    /came in time \(msg_1\)/,
  ],
  ['waiting', { recorded: new Map([record(1), record(2, { state: 'parked' })]) }, /still waited/],
  [
    'other statistics',
    { statistics: new Map([['sub_1', { delivered: 1, failed_attempts: 0, exhausted: 0, cancelled: 0 }]]) },
    /sub_1: delivered 1 instead of 2/,
  ],
  ['a dead letter', { deadLetters: { deliveriesDeadLetters: 1 } }, /1 records are in deliveriesDeadLetters/],
  ['a leak', { trends: [{ ...flat, grown_mb: 41 }] }, /Deliver grew by 41 MB/],
])('%s fails the run', (_, given, reason) => {
  const { outcome, reasons } = judged(given);
  expect(outcome).toBe('failed');
  expect(reasons.join('\n')).toMatch(reason);
});

test.each<[string, Partial<Evidence>]>([
  ['counts that do not add up', { published: 3 }],
  [
    'a record that nobody published',
    {
      recorded: new Map([record(1), record(2), record(3)]),
      statistics: new Map(),
      receipts: [[receipt(1), receipt(2), receipt(3)]],
    },
  ],
  ['sampling that failed', { gaps: ['3 samples failed'] }],
  ['no trend', { trends: [] }],
  ['a kind of worker that never grew old', { unproven: ['Match'] }],
  [
    'nothing published',
    { published: 0, expected: [], recorded: new Map(), statistics: new Map(), receipts: [] },
  ],
])('%s makes the run void, but hides nothing that is broken', (_, given) => {
  expect(judged(given).outcome).toBe('void');
  expect(judged({ ...given, deadLetters: { deliveriesDeadLetters: 1 } }).outcome).toBe('failed');
});

test('an interrupted run may have messages that wait', () => {
  const recorded = new Map([record(1), record(2, { state: 'retrying', attempt_count: 0 })]);
  expect(judged({ isInterrupted: true, recorded, receipts: [[receipt(1)]] }).outcome).toBe('passed');
});

test('evidence is settled once every message has ended on record and is counted', () => {
  expect(isSettled(well)).toBe(true);
  // A killed worker: the receiver has accepted what nobody has put on record, so nobody has counted it
  // either.
  const statistics = new Map([['sub_1', { delivered: 1, failed_attempts: 0, exhausted: 0, cancelled: 0 }]]);
  expect(isSettled({ ...well, recorded: new Map([record(1)]), statistics })).toBe(false);
  expect(isSettled({ ...well, statistics })).toBe(false);
  const retrying = new Map([record(1), record(2, { state: 'retrying' })]);
  expect(isSettled({ ...well, recorded: retrying, statistics })).toBe(false);
});
