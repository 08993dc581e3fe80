import type { StuckKey } from '../../../../../cli/operator/stuck/ordering-key-table.ts';
import { keyText, listText, outcomeText, stateText } from '../../../../../cli/operator/stuck/stuck-report.ts';
import {
  FAULT,
  IN_BACKLOG,
  queuedMessage,
  record,
  WAITING,
} from '../../../adapters/dynamodb/blocked-ordering-keys.ts';

test('a list names service, key and explanation of each, and what could not be read', () => {
  expect(listText([FAULT as StuckKey], ['ordering_key x: cannot be read; see since']).split('\n')).toEqual([
    '1 payment waits for you, the oldest first:',
    '  since                     service  ordering key  explanation',
    '  2026-11-14T10:00:01.000Z  bakery   sub_1.pay-1   no secret',
    'ordering_key x: cannot be read; see since',
  ]);
  expect(listText([], [])).toBe('No payment waits for you.');
});

test('a blocked ordering key is shown with its messages in order, without their bodies', () => {
  const { resource: _, ...known } = record(1, { state: 'parked', state_reason: 'fault' });
  const text = keyText(
    'sub_1.pay-1',
    FAULT,
    [
      { queuedMessage: queuedMessage(1), record: known },
      { queuedMessage: queuedMessage(2), record: undefined },
    ],
    3,
  );
  expect(text).toContain('sub_1.pay-1: waiting for you since 2026-11-14T10:00:01.000Z: no secret');
  expect(text).toContain('3 messages wait, the first one first:');
  expect(text).toMatch(/0001 {2}msg_\S+ +card_payment_captured +parked fault/);
  expect(text).toMatch(/0002 {2}msg_\S+ +not in the history/);
  expect(text).toContain('… and 1 more');
});

test.each([
  [WAITING, 'waiting, its first message is due at 2026-11-14T10:00:05.000Z'],
  [
    IN_BACKLOG,
    'in the backlog since 2026-11-14T10:00:01.000Z, until the circuit of its subscription lets it go',
  ],
  [undefined, 'not blocked any more: every message that waited has ended'],
])('the state of an ordering key is told in words', (key, words) => {
  expect(stateText(key)).toBe(words);
});

test('a skip tells which message was given up, even when the next one cannot be sent either', () => {
  expect(outcomeText(FAULT, 'skip', 'msg_1')).toBe(
    'msg_1 was given up; the payment is waiting for you since 2026-11-14T10:00:01.000Z: no secret',
  );
  expect(outcomeText(undefined, 'skip', 'msg_1')).toBe(
    'msg_1 was given up; the payment is not blocked any more: every message that waited has ended',
  );
  expect(outcomeText('unchanged', 'skip', undefined)).toMatch(/^as it was/);
});

test('a release tells when the attempt failed', () => {
  expect(outcomeText(FAULT, 'release', undefined)).toBe(
    'the attempt failed; waiting for you since 2026-11-14T10:00:01.000Z: no secret',
  );
  expect(outcomeText(WAITING, 'release', undefined)).toMatch(/^waiting, its first message/);
});
