import {
  canRecover,
  countsOf,
  filterOf,
  isRecoverable,
  requestOf,
  selectionIn,
  statesOf,
} from '../../../console/recover/selection.ts';
import { MESSAGE_STATES, STATE_REASONS } from '../../../functions/core/message/message.ts';
import type { MessageSummary } from '../../../functions/core/message/message-view.ts';
import { isRecoverable as isRecoverableByTheApi } from '../../../functions/core/message/recovery.ts';

const selection = {
  since: '2026-11-23T11:00:00.000Z',
  until: '2026-11-23T12:00:00.000Z',
  state: 'failed',
  eventType: '',
} as const;
const message = (over: Partial<MessageSummary>) =>
  ({
    message_id: 'msg_1',
    event_type: 'card_payment_captured',
    admitted_at: '11:00',
    ...over,
  }) as MessageSummary;

test('what is counted is exactly what a recovery sends again', () => {
  for (const state of MESSAGE_STATES) {
    for (const state_reason of [undefined, ...STATE_REASONS]) {
      for (const event_type of ['card_payment_captured', 'ping']) {
        for (const body_erased_at of [undefined, '2026-11-23T11:00:00.000Z']) {
          const one = { state, state_reason, event_type, body_erased_at };
          expect([one, isRecoverable(one as MessageSummary)]).toEqual([
            one,
            isRecoverableByTheApi(one as never),
          ]);
        }
      }
    }
  }
});

test('a recovery is asked for as narrow as what was counted', () => {
  const { since, until } = selection;
  expect(requestOf(selection)).toEqual({ since, until });
  expect(requestOf({ ...selection, state: 'exhausted', eventType: 'card_payment_captured' })).toEqual({
    since,
    until,
    states: ['exhausted'],
    event_types: ['card_payment_captured'],
  });
  expect(statesOf(selection)).toEqual(['exhausted', 'cancelled']);
  expect(statesOf({ ...selection, state: 'cancelled' })).toEqual(['cancelled']);
});

test('what was found is counted by type and state, most first', () => {
  const given_up = message({ state: 'exhausted' });
  expect(countsOf([message({ state: 'cancelled' }), given_up, given_up])).toEqual([
    { event_type: 'card_payment_captured', state: 'exhausted', count: 2 },
    { event_type: 'card_payment_captured', state: 'cancelled', count: 1 },
  ]);
});

describe('an address', () => {
  const NOW_MS = Date.parse('2026-11-23T12:00:00.000Z');

  test.each([
    selection,
    { ...selection, until: '' },
    { ...selection, state: 'exhausted', eventType: 'card_payment_captured' },
  ] as const)('keeps the selection %j', (chosen) => {
    expect(selectionIn(filterOf(chosen), NOW_MS)).toEqual(chosen);
  });

  test('that says nothing chooses what failed in the last day, up to now', () => {
    expect(selectionIn({}, NOW_MS)).toEqual({
      since: '2026-11-22T12:00:00.000Z',
      until: '',
      state: 'failed',
      eventType: '',
    });
  });

  test('does not choose what no recovery sends', () => {
    const { state, eventType } = selectionIn({ state: 'succeeded', event_type: 'ping' }, NOW_MS);
    expect([state, eventType]).toEqual(['failed', '']);
  });
});

test.each([
  [{ since: selection.since }, true],
  [{ state: 'exhausted', event_type: 'card_payment_captured' }, true],
  [{ state: 'cancelled' }, true],
  [{ state: 'retrying' }, false],
  [{ event_type: 'sample.card_payment_captured' }, false],
  [{ payment_id: 'pay_1' }, false],
] as const)('whether a list of %j can be recovered as it stands: %s', (filter, can) => {
  expect(canRecover(filter)).toBe(can);
});
