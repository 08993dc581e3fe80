import { type Page, withNewest, withOlder } from '../../../../console/changes/listed.ts';
import type { ChangeView } from '../../../../functions/core/api/change.ts';

const change = (minute: number): ChangeView => ({
  at: `2026-11-23T11:0${minute}:00.000Z`,
  request_id: `req_${minute}`,
  operation: 'pauseSubscription',
});
const page = (minutes: readonly number[], next_cursor?: string): Page => ({
  changes: minutes.map(change),
  ...(next_cursor === undefined ? {} : { next_cursor }),
});

test('older changes are appended, and none leaves when new ones push it out of the first page', () => {
  const first = withNewest(undefined, page([5, 4], 'behind 4'));
  const longer = withOlder(first, page([3, 2], 'behind 2'));
  const later = withNewest(longer, page([6, 5], 'behind 5'));
  expect(later).toEqual(page([6, 5, 4, 3, 2], 'behind 2'));
  expect(withOlder(later, page([2, 1]))).toEqual(page([6, 5, 4, 3, 2, 1]));
});

test('the list begins anew when more came than a page holds, rather than hide what is between', () => {
  expect(withNewest(page([3, 2], 'behind 2'), page([9, 8], 'behind 8'))).toEqual(page([9, 8], 'behind 8'));
});

test('a page on which nothing was found says nothing of what is listed', () => {
  const listed = page([3], 'behind 3');
  expect(withNewest(listed, page([], 'further'))).toBe(listed);
  expect(withNewest(listed, page([]))).toEqual(page([]));
});
