import { countsOf, isRecoverable, requestOf, statesOf } from '../../../console/recover/selection.ts';
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
