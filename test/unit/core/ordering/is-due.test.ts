import type { BlockedKey } from '../../../../functions/core/ordering/blocked-ordering-key.ts';
import { isDue } from '../../../../functions/core/ordering/gate.ts';
import { SIGNAL_KINDS } from '../../../../functions/core/signal/signal.ts';
import { at, blockedKeys } from '../circuit/given/circuits.ts';

const HALF_PAST_TEN = 1_800;

function heeded(key: BlockedKey, seconds: number): string[] {
  return SIGNAL_KINDS.filter((signalKind) => isDue(key, signalKind, at(seconds), () => false));
}

test.each([
  ['when its time has come', HALF_PAST_TEN, ['resume', 'drain', 'probe', 'resend', 'cancel']],
  [
    'a second early, since clocks differ',
    HALF_PAST_TEN - 1,
    ['resume', 'drain', 'probe', 'resend', 'cancel'],
  ],
  ['not sooner', HALF_PAST_TEN - 1.001, []],
])('an ordering key that waits for its time can be signalled %s', (_, seconds, wanted) => {
  expect(heeded(blockedKeys.waiting, seconds)).toEqual(wanted);
});

test('an ordering key in the backlog can be signalled at any time', () => {
  expect(heeded(blockedKeys.backlogged, 0)).toEqual(['resume', 'drain', 'probe', 'resend', 'cancel']);
});

test('an ordering key in fault obeys an operator only', () => {
  expect(heeded(blockedKeys.stuck, 0)).toEqual(['release', 'skip']);
});

test('an ordering key in fault whose subscription is gone obeys any signal: there is nothing left to fix', () => {
  expect(
    SIGNAL_KINDS.filter((signalKind) => isDue(blockedKeys.stuck, signalKind, at(0), () => true)),
  ).toEqual(SIGNAL_KINDS);
});
