import { added, canRecover, filterOf, requestOf, selectionIn } from '../../../console/recover/selection.ts';

const selection = {
  since: '2026-11-23T11:00:00.000Z',
  until: '2026-11-23T12:00:00.000Z',
  state: 'failed',
  eventType: '',
  payments: '',
  filter: '',
} as const;
test('a recovery is asked for as narrow as what was counted', () => {
  const { since, until } = selection;
  expect(requestOf(selection)).toEqual({ since, until });
  expect(requestOf({ ...selection, state: 'exhausted', eventType: 'card_payment_captured' })).toEqual({
    since,
    until,
    states: ['exhausted'],
    event_types: ['card_payment_captured'],
  });
});

test('payments are taken apart wherever there is something between them, and a filter is JSON', () => {
  const { since, until } = selection;
  const chosen = {
    ...selection,
    payments: ' pay_1, pay_2;pay_3\n\tpay_4 ',
    filter: ' {"payment_id":["pay_1"]}',
  };
  expect(requestOf({ ...chosen, state: 'all' })).toEqual({
    since,
    until,
    states: ['exhausted', 'cancelled', 'succeeded'],
    payment_ids: ['pay_1', 'pay_2', 'pay_3', 'pay_4'],
    filter: { payment_id: ['pay_1'] },
  });
});

test('a filter keeps all digits of an amount', () => {
  const filter = '{"resource":{"amount":[9007199254740993]}}';
  expect(JSON.stringify(requestOf({ ...selection, filter }).filter)).toBe(filter);
});

test('what several requests count is added up by type and state, most first', () => {
  const kind = (state: 'exhausted' | 'succeeded', count: number) => ({
    event_type: 'refund_failed',
    state,
    count,
  });
  expect(added([kind('exhausted', 3), kind('succeeded', 4), kind('exhausted', 2)])).toEqual({
    count: 9,
    kinds: [kind('exhausted', 5), kind('succeeded', 4)],
  });
});

describe('an address', () => {
  const NOW_MS = Date.parse('2026-11-23T12:00:00.000Z');

  test.each([
    selection,
    { ...selection, until: '' },
    { ...selection, state: 'exhausted', eventType: 'card_payment_captured' },
    { ...selection, state: 'succeeded', payments: 'pay_1' },
    { ...selection, state: 'all' },
  ] as const)('keeps the selection %j', (chosen) => {
    expect(selectionIn(filterOf(chosen), NOW_MS)).toEqual(chosen);
  });

  test('that says nothing chooses what failed in the last day, up to now', () => {
    expect(selectionIn({}, NOW_MS)).toEqual({
      since: '2026-11-22T12:00:00.000Z',
      until: '',
      state: 'failed',
      eventType: '',
      payments: '',
      filter: '',
    });
  });

  test('does not choose what no recovery sends', () => {
    const { state, eventType } = selectionIn({ state: 'retrying', event_type: 'ping' }, NOW_MS);
    expect([state, eventType]).toEqual(['failed', '']);
  });
});

test.each([
  [{ since: selection.since }, true],
  [{ state: 'exhausted', event_type: 'card_payment_captured' }, true],
  [{ state: 'cancelled' }, true],
  [{ state: 'retrying' }, false],
  [{ event_type: 'sample.card_payment_captured' }, false],
  [{ payment_id: 'pay_1' }, true],
  [{ state: 'succeeded' }, true],
  [{ state: 'parked' }, false],
] as const)('whether a list of %j can be recovered as it stands: %s', (filter, can) => {
  expect(canRecover(filter)).toBe(can);
});
