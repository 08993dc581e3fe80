import { addressDigest } from '../../../../functions/core/notices/link-token.ts';
import { afterLink, type NoticeBook, settled, turn } from '../../../../functions/core/notices/notice-book.ts';
import { instant } from '../../../../functions/core/text/instant.ts';
import { subscription } from '../../../support/builders.ts';

const MINUTE = 60_000;
const NOW = Date.parse('2026-11-02T08:00:00.000Z');
const contact = 'ops@shop.example';
const disabled = subscription({
  contact,
  state: 'disabled',
  disabled_at: instant(NOW),
  disabled_reason: 'gone',
});
const kinds = (due: readonly { readonly notice?: { readonly kind: string } | undefined }[]) =>
  due.map(({ notice }) => notice?.kind ?? 'asks');

/** A book whose contact has confirmed. */
function confirmed(): NoticeBook {
  const { book, due } = turn(undefined, disabled, [], NOW);
  return afterLink(settled(book!, due), { purpose: 'confirm', address: addressDigest(contact) }, NOW)!;
}

test('a contact is asked before it is told anything, and is told then what lasts', () => {
  const first = turn(undefined, disabled, [], NOW);
  expect(kinds(first.due)).toEqual(['asks']);
  const asked = settled(first.book!, first.due);
  const again = turn(asked, disabled, [], NOW + 60 * MINUTE);
  expect([again.book, again.due]).toEqual([asked, []]);

  const { book, due } = turn(confirmed(), disabled, [], NOW);
  expect(kinds(due)).toEqual(['subscription.disabled']);
  const done = settled(book!, due);
  expect(done.sent.map(({ kind }) => kind)).toEqual(['subscription.disabled']);
  expect(turn(done, disabled, [], NOW + 600 * MINUTE)).toEqual({ book: done, due: [], dropped: [] });
});

test('what is being sent is nobody else’s; what was not sent is tried five times in all, then dropped', () => {
  let { book, due } = turn(confirmed(), disabled, [], NOW);
  expect(turn(book, disabled, [], NOW + 9 * MINUTE).due).toEqual([]);
  const tried: number[] = [0];
  let dropped = 0;
  for (let minute = 1; minute < 24 * 60; minute += 1) {
    const turned = turn(book, disabled, [], NOW + minute * MINUTE);
    ({ book, due } = turned);
    tried.push(...due.map(() => minute));
    dropped += turned.dropped.length;
  }
  expect([tried, dropped]).toEqual([[0, 10, 30, 70, 150], 1]);
  expect(book?.postings).toEqual([]);
});

test('another contact is asked again and gets nothing meant for the first; without one the book goes', () => {
  const { book } = turn(confirmed(), disabled, [], NOW);
  const other = turn(book, { ...disabled, contact: 'other@shop.example' }, [], NOW);
  expect(kinds(other.due)).toEqual(['asks']);
  expect(other.book?.postings).toHaveLength(1);
  const { contact: _, ...without } = disabled;
  expect(turn(book, without, [], NOW)).toEqual({ book: undefined, due: [], dropped: [] });
  expect(turn(book, { ...disabled, state: 'deleted' }, [], NOW).book).toBeUndefined();
  expect(turn(undefined, undefined, [], NOW).book).toBeUndefined();
});

test('a link changes only the contact that it was sent to, once', () => {
  const address = addressDigest(contact);
  const book = confirmed();
  expect(afterLink(book, { purpose: 'confirm', address }, NOW)).toBe(book);
  const off = afterLink(book, { purpose: 'unsubscribe', address }, NOW)!;
  expect(off.contact.state).toBe('unsubscribed');
  expect(turn(off, disabled, [], NOW).due).toEqual([]);
  expect(
    afterLink(book, { purpose: 'unsubscribe', address: addressDigest('other@shop.example') }, NOW),
  ).toBeUndefined();
  expect(afterLink(undefined, { purpose: 'confirm', address }, NOW)).toBeUndefined();
});
