import pc from 'picocolors';
import { spanText } from '../../../../cli/timeline/timeline-lines.ts';
import { type DrawnPayment, timelineText } from '../../../../cli/timeline/timeline-text.ts';
import { type Circuit, CLOSED } from '../../../../functions/core/circuit/circuit.ts';
import type { MessageRecord } from '../../../../functions/core/message/history.ts';
import { messageTimelines } from '../../../../functions/core/timeline/message-timeline.ts';
import { messageRecord } from '../../api/builders.ts';

const at = (second: number) => `2026-01-01T00:00:${String(second).padStart(2, '0')}.000Z`;
const NOW_MS = Date.parse(at(20));
const colors = pc.createColors(false);

const OF_SHOP = {
  subscription_id: 'sub_1',
  description: 'shop',
  state: 'active',
  circuit: { state: 'closed' },
};

/** Newest first, as an answer lists them; all occurred in the first second. */
function messages(...records: readonly Partial<MessageRecord>[]) {
  return messagesBehind({}, records);
}

function messagesBehind(
  circuits: Readonly<Record<string, Circuit>>,
  records: readonly Partial<MessageRecord>[],
) {
  return messageTimelines(
    records.map((over) => {
      const { first_attempt: _, ...record } = messageRecord({
        event_type: 'invoice.paid',
        occurred_at: at(0),
        admitted_at: at(1),
        state: 'retrying',
        next_attempt_at: at(30),
        last_attempt_at: at(2),
        ...over,
      });
      const attempt = { attempt: 1, started_at: at(2), duration_ms: 9.4, status_code: 503 } as const;
      const failed = { ...attempt, failure_class: 'http_status', failure_reason: 'answered 503' } as const;
      return { record, attempts: record.attempt_count === 0 ? [] : [failed] };
    }),
    new Map(Object.entries(circuits)),
  );
}

const drawnOf = (over: Partial<DrawnPayment> = {}) =>
  timelineText(
    { payment_id: 'pay_1', subscriptions: [OF_SHOP], messages: messages({}), ...over },
    NOW_MS,
    colors,
  );

test('what happened stands in order of time, and below it what is next', () => {
  expect(drawnOf()).toBe(
    [
      'Payment pay_1, all times in UTC',
      '2026-01-01',
      '  00:00:00.000        invoice.paid  · happened',
      '  00:00:01.000        invoice.paid  → taken in',
      '  00:00:02.000  shop  invoice.paid  ✗ attempt 1: answered 503 in 9 ms',
      '',
      'What has become of it, and what is next',
      '  shop  invoice.paid  ↻ next attempt at 2026-01-01 00:00:30 (in 10 s)  msg_1',
    ].join('\n'),
  );
});

test('what is the same for two messages of an event stands once', () => {
  const drawn = drawnOf({ messages: messages({}, { message_id: 'msg_2', subscription_id: 'sub_2' }) });
  expect(drawn.match(/taken in/g)).toHaveLength(1);
  expect(drawn.match(/attempt 1/g)).toHaveLength(2);
});

test.each([
  ['a description', 'shop', 'orders', ['shop', 'orders']],
  ['the id where two have the same description', 'shop', ' shop', ['sub_1', 'sub_2']],
  ['the id where there is no description', 'shop', ' ', ['shop', 'sub_2']],
])('a subscription is named by %s', (_, one, other, expected) => {
  const subscriptions = [
    { ...OF_SHOP, description: one },
    { ...OF_SHOP, subscription_id: 'sub_2', description: other },
  ];
  const drawn = drawnOf({
    subscriptions,
    messages: messages({}, { message_id: 'msg_2', subscription_id: 'sub_2', ordering_key: 'sub_2.pay_1' }),
  });
  expect(drawn.match(/(?<=00:00:02.000 {2})\S+/g)?.sort()).toEqual([...expected].sort());
});

test('a message behind another names its event, and when that continues', () => {
  const behind = {
    message_id: 'msg_2',
    event_type: 'invoice.sent',
    order_number: '2',
    state: 'parked',
    state_reason: 'behind_earlier',
    attempt_count: 0,
    parked_at: at(3),
  } as const;
  const drawn = drawnOf({ messages: messages(behind, {}) });
  expect(drawn).toContain('sent  … held since then');
  expect(drawn).toContain('… behind paid, which continues at 2026-01-01 00:00:30 (in 10 s)');
});

test('a message behind one whose endpoint is down is promised no time: any message may be the probe', () => {
  const waits = { state: 'parked', attempt_count: 0, parked_at: at(3) } as const;
  const open = { ...CLOSED, state: 'open', cool_down_ms: 1_000, probe_at: at(30) } as const;
  const drawn = drawnOf({
    messages: messagesBehind({ sub_1: open }, [
      { ...waits, message_id: 'msg_2', order_number: '2', state_reason: 'behind_earlier' },
      { ...waits, state_reason: 'circuit_open' },
    ]),
  });
  expect(drawn).toContain(
    '… behind invoice.paid; the endpoint is probed next at 2026-01-01 00:00:30 (in 10 s)',
  );
});

test('a sequence tells what is missing, and until when it is waited for', () => {
  const drawn = drawnOf({
    messages: messages({
      sequence: 3,
      gap_before: true,
      state: 'exhausted',
      state_reason: 'age',
      ended_at: at(9),
    }),
    sequence: {
      next: 5,
      next_awaited_until: at(30),
      early: [{ sequence: 6, event_id: 'evt_6', since: at(15), waits_until: at(30) }],
      missing: [2],
      sent: [
        { subscription_id: 'sub_1', position: 1, message_id: 'msg_1' },
        { subscription_id: 'sub_9', position: 1, message_id: 'msg_9' },
      ],
    },
  });
  expect(drawn).toContain('invoice.paid (3)  → taken in; number 2 had not come in time');
  expect(drawn).toContain('00:00:15.000        evt_6 (6)         … arrived early, waits for number 5');
  expect(drawn).toContain('✗ given up: age');
  expect(drawn).toContain(
    [
      '  Number 5 is next.',
      '  It is waited for until 2026-01-01 00:00:30 at most (in 10 s), by 6.',
      '  Not come, and not waited for any more: 2.',
      '  Not shown here: msg_9, the last message sent to sub_9. It may be on its way.',
    ].join('\n'),
  );
});

test('a subscription that is not well is told, and attempts that are left out', () => {
  const drawn = drawnOf({
    subscriptions: [{ ...OF_SHOP, state: 'paused', circuit: { state: 'half_open' } }],
    messages: messages({ attempt_count: 40 }),
  });
  expect(drawn).toContain('shop is paused, its circuit half-open.');
  expect(drawn).toContain('… 39 more attempts of msg_1 are not shown');
});

test('what outsiders wrote does not act on the terminal', () => {
  const drawn = drawnOf({
    payment_id: 'pay\u001b[2J',
    subscriptions: [{ ...OF_SHOP, description: 'shop\u202e\n' }],
    messages: messages({ event_type: 'card\u0000', message_id: 'msg\u001b' }),
  });
  expect(drawn).toContain('pay\\u001b[2J');
  expect(drawn).toContain('shop\\u202e');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not be there
  expect(drawn).not.toMatch(/[\u0000\u001b\u202e]/);
});

test.each([
  [-5, '0 ms'],
  [87.4, '87 ms'],
  [4_240, '4.2 s'],
  [59_400, '59.4 s'],
  [59_940, '1 min 0 s'],
  [200_000, '3 min 20 s'],
  [7_500_000, '2 h 5 min'],
  [97_200_000, '1 d 3 h'],
])('%d ms are %s', (ms, text) => {
  expect(spanText(ms)).toBe(text);
});
