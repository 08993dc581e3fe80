import {
  againUntil,
  LISTED_WITHIN_MS,
  readDownTo,
  unsettled,
} from '../../../../functions/core/message/follow.ts';
import { LEAST_VISIBILITY_FACTOR, WORKER_SECONDS } from '../../../../lib/worker-times.ts';

const at = (minutes: number, ms = 0) => new Date(Date.UTC(2026, 0, 1, 12, minutes, 0, ms)).toISOString();
const ended = (minutes: number) => ({ admitted_at: at(minutes), ended_at: at(minutes) });
const open = (minutes: number) => ({ admitted_at: at(minutes), ended_at: undefined });

test('a message is listed within the time that the records of a dead worker and the batches before them take', () => {
  const { deliver } = WORKER_SECONDS;
  expect(LISTED_WITHIN_MS).toBeGreaterThanOrEqual((LEAST_VISIBILITY_FACTOR + 3) * deliver * 1_000);
});

test('unsettled is what has not ended, and what others may come between', () => {
  const known = [ended(59), ended(50), ended(49), ended(48), open(3)];
  expect(unsettled(known)).toEqual([ended(59), ended(50), ended(49), open(3)]);
});

test('it is read again in turn, from the newest down, and then anew', () => {
  const known = [ended(59), ended(55), ended(40), open(30), ended(20), open(10)];
  expect(againUntil(known, at(57), undefined)).toBe(at(55, 1));
  expect(againUntil(known, at(57), at(54))).toBe(at(30, 1));
  expect(againUntil(known, at(57), at(30))).toBe(at(30, 1));
  expect(againUntil(known, at(57), at(29))).toBe(at(10, 1));
  expect(againUntil(known, at(57), at(9))).toBe(at(55, 1));
  expect(againUntil([ended(59), ended(40)], at(57), undefined)).toBeUndefined();
});

test('a page reaches down to its oldest message, and always further than before', () => {
  const page = (minutes: readonly number[]) => ({ messages: minutes.map(ended), next_cursor: 'more' });
  expect(readDownTo(page([9, 8, 7]), at(9, 1))).toBe(at(7));
  expect(readDownTo(page([9, 9]), at(9, 1))).toBe(at(8, 59_999));
  expect(readDownTo({ messages: [ended(9)] }, at(9, 1))).toBeUndefined();
});
