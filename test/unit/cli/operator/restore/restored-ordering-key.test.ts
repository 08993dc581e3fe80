import { isOlder, RESTORABLE } from '../../../../../cli/operator/restore/restorable.ts';
import { restoredOrderingKey } from '../../../../../cli/operator/restore/restored-ordering-key.ts';
import { DELIVERY_POLICY } from '../../../../../functions/core/attempt/delivery-policy.ts';
import type { MessageState } from '../../../../../functions/core/message/message.ts';
import type {
  BlockedKey,
  QueuedMessage,
} from '../../../../../functions/core/ordering/blocked-ordering-key.ts';
import { at, blockedKeys } from '../../../core/circuit/given/circuits.ts';

const NOW = '2026-11-14T10:00:30.000Z';

const queuedMessage = (step: number): QueuedMessage => ({
  ordering_key: 'sub_1.pay-1',
  position: `00${step}`,
  message_id: `msg_${step}`,
  since: '2026-11-14T09:00:00.000Z',
  failed_attempts: 1,
});

/** A key with three messages, as the history knows them by now. */
function back(
  states: readonly (MessageState | 'unknown')[],
  {
    key = blockedKeys.backlogged as BlockedKey,
    now = undefined as BlockedKey | undefined,
    positions = [] as string[],
  } = {},
) {
  const queuedMessages = states.map((_, index) => queuedMessage(index + 1));
  const records = new Map(
    states.flatMap((state, index) => (state === 'unknown' ? [] : [[`msg_${index + 1}`, { state }] as const])),
  );
  return restoredOrderingKey(
    { earlier: { key, queuedMessages }, now: { key: now, positions: new Set(positions) }, records },
    at(30),
    DELIVERY_POLICY,
  );
}

test('what has ended since is not sent again', () => {
  const { queuedMessages, ended } = back(['succeeded', 'exhausted', 'parked']);
  expect(queuedMessages).toEqual([queuedMessage(3)]);
  expect(ended).toBe(2);
});

test('a key of which all has ended does not come back', () => {
  expect(back(['succeeded', 'cancelled'])).toEqual({
    key: undefined,
    queuedMessages: [],
    ended: 2,
    unknown: 0,
  });
});

test('what the history does not know is not pointed to: deliver would take it for nothing, and forget it', () => {
  expect(back(['unknown', 'parked'])).toMatchObject({ queuedMessages: [queuedMessage(2)], unknown: 1 });
});

test('a ordering key in a backlog comes back as waiting, and sweep looks at it at once: its circuit may have closed since', () => {
  expect(back(['parked']).key).toEqual({
    ordering_key: 'sub_1.pay-1',
    service_id: 'bakery',
    subscription_id: 'sub_1',
    payment_id: 'pay-1',
    revision: 5,
    oldest_since: '2026-11-14T09:00:00.000Z',
    state: 'waiting',
    due_at: NOW,
    check_at: NOW,
  });
});

test('a key whose time has not come keeps it; one in fault stays the operator’s', () => {
  expect(back(['retrying'], { key: blockedKeys.waiting }).key).toMatchObject({
    due_at: '2026-11-14T10:30:00.000Z',
    check_at: '2026-11-14T10:16:00.000Z',
  });
  expect(back(['parked'], { key: blockedKeys.stuck }).key).toMatchObject({
    state: 'stuck',
    explanation: 'no signing secret',
  });
});

test('a key that is there stays as it is, and gets what is missing in it', () => {
  const now = blockedKeys.waiting;
  expect(back(['parked', 'parked'], { now, positions: ['002'] })).toMatchObject({
    key: undefined,
    queuedMessages: [queuedMessage(1)],
  });
});

test('where only the key itself is gone it comes back for those that wait', () => {
  expect(back(['parked'], { positions: ['001'] })).toMatchObject({
    key: { state: 'waiting' },
    queuedMessages: [],
  });
});

test.each([
  ['an earlier revision', { revision: 1 }, { revision: 2 }, true],
  ['a later one', { revision: 3 }, { revision: 2 }, false],
  ['the same', { revision: 2, check_at: 'a' }, { revision: 2, check_at: 'b' }, false],
  ['an earlier circuit', { circuit: { revision: 1 } }, { circuit: { revision: 2 } }, true],
  ['earlier in one, later in the other', { revision: 3 }, { revision: 2, circuit: { revision: 1 } }, false],
])('whether a subscription that is there is older: %s', (_, live, restored, expected) => {
  expect(isOlder(live, restored, RESTORABLE.subscriptions)).toBe(expected);
});

test('a message that was erased by hand is never replaced by one with its body', () => {
  expect(isOlder({ attempt_count: 1, body_erased_at: NOW }, { attempt_count: 2 }, RESTORABLE.history)).toBe(
    false,
  );
});
