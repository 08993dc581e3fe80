import { addressDigest } from '../../../../functions/core/notices/address-digest.ts';
import {
  afterLink,
  maskedOf,
  type NoticeBook,
  settled as settledOf,
  turn as turnOf,
} from '../../../../functions/core/notices/notice-book.ts';
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
const turn = (
  before: NoticeBook | undefined,
  of: Parameters<typeof turnOf>[1],
  happened: readonly [],
  nowMs: number,
) => turnOf(before, of, happened, nowMs, (id) => `whpk_of_${id}`);
const settled = (book: NoticeBook, sent: Parameters<typeof settledOf>[1]) =>
  settledOf(book, sent, disabled, NOW);
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

const notices_url = 'https://shop.example/notices?token=hunter2';
const { contact: _, ...unheard } = { ...disabled, notices_url };
const ways = (due: ReturnType<typeof turn>['due']) => due.map(({ by, notice }) => `${by} ${notice?.kind}`);

test('a URL for notices needs no consent: it is told once, and its public key is kept', () => {
  const { book, due } = turn(undefined, unheard, [], NOW);
  expect(ways(due)).toEqual(['webhook subscription.disabled']);
  expect([book?.contact, book?.public_key]).toEqual([undefined, 'whpk_of_sub_1']);
  const done = settledOf(book!, due, unheard, NOW + 1);
  expect(done.sent).toMatchObject([
    { kind: 'subscription.disabled', by: 'webhook', to: 'https://shop.example/…', result: 'sent' },
  ]);
  expect(turn(done, unheard, [], NOW + 600 * MINUTE).due).toEqual([]);
  const { notices_url: __, ...silent } = unheard;
  expect(turn(done, { ...silent, contact }, [], NOW).book?.public_key).toBeUndefined();
});

test('a contact that confirms later is told what lasts, and the URL is not told again', () => {
  const both = { ...disabled, notices_url };
  const first = turn(undefined, both, [], NOW);
  expect(ways(first.due)).toEqual(['mail undefined', 'webhook subscription.disabled']);
  const done = settledOf(first.book!, first.due, both, NOW);
  const after = afterLink(done, { purpose: 'confirm', address: addressDigest(contact) }, NOW)!;
  const { due } = turn(after, both, [], NOW + MINUTE);
  expect(ways(due)).toEqual(['mail subscription.disabled']);
});

test('one that takes nothing is given up on record; the mail of the same notice is another matter', () => {
  const both = { ...disabled, notices_url };
  let book: NoticeBook | undefined = settled(confirmed(), []);
  const mailed: number[] = [];
  for (let minute = 0; minute < 24 * 60; minute += 10) {
    const turned = turn(book, both, [], NOW + minute * MINUTE);
    const mails = turned.due.filter(({ by }) => by === 'mail');
    mailed.push(...mails.map(() => minute));
    book = settledOf(turned.book!, mails, both, NOW);
  }
  expect([mailed, book?.postings]).toEqual([[0], []]);
  expect(book?.sent.map(({ by, to, result }) => [by, to, result])).toEqual([
    ['webhook', 'https://shop.example/…', 'given_up'],
    ['mail', 'o***@shop.example', 'sent'],
  ]);
});

test.each([
  ['mail', { contact: 'ops@shop.example' }, 'o***@shop.example'],
  ['mail', { contact: 'a@b.example' }, 'a***@b.example'],
  ['webhook', { notices_url }, 'https://shop.example/…'],
] as const)('to whom %s went is masked: %j', (by, addresses, masked) => {
  expect(maskedOf(by, addresses)).toBe(masked);
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
  const { contact: _contact, ...without } = disabled;
  expect(turn(book, without, [], NOW)).toEqual({ book: undefined, due: [], dropped: [] });
  expect(turn(book, { ...disabled, state: 'deleted' }, [], NOW).book).toBeUndefined();
  expect(turn(undefined, undefined, [], NOW).book).toBeUndefined();
});

test('a link changes only the contact that it was sent to, once', () => {
  const address = addressDigest(contact);
  const book = confirmed();
  expect(afterLink(book, { purpose: 'confirm', address }, NOW)).toBe(book);
  const off = afterLink(book, { purpose: 'unsubscribe', address }, NOW)!;
  expect(off.contact?.state).toBe('unsubscribed');
  expect(turn(off, disabled, [], NOW).due).toEqual([]);
  expect(
    afterLink(book, { purpose: 'unsubscribe', address: addressDigest('other@shop.example') }, NOW),
  ).toBeUndefined();
  expect(afterLink(undefined, { purpose: 'confirm', address }, NOW)).toBeUndefined();
});
