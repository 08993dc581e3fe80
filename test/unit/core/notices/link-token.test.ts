import { addressDigest } from '../../../../functions/core/notices/address-digest.ts';
import { type Link, linkToken, readLink } from '../../../../functions/core/notices/link-token.ts';

const KEY = Buffer.alloc(32, 7);
const NOW = Date.parse('2026-11-02T08:00:00.000Z');
const DAY = 86_400_000;
const LINK: Link = {
  purpose: 'confirm',
  serviceId: 'bakery',
  subscriptionId: 'sub_1',
  address: addressDigest('Ops@Shop.example'),
};

test('a link says what it is for; only a confirmation expires, after a week', () => {
  expect(readLink(KEY, linkToken(KEY, LINK, NOW), NOW + 7 * DAY - 1_000)).toEqual({
    ...LINK,
    isExpired: false,
  });
  expect(readLink(KEY, linkToken(KEY, LINK, NOW), NOW + 7 * DAY)).toEqual({ ...LINK, isExpired: true });
  const unsubscribe = { ...LINK, purpose: 'unsubscribe' } as const;
  expect(readLink(KEY, linkToken(KEY, unsubscribe, NOW), NOW + 4_000 * DAY)).toEqual({
    ...unsubscribe,
    isExpired: false,
  });
});

test('an address is named by no token, and is the same in capitals', () => {
  expect(Buffer.from(linkToken(KEY, LINK, NOW), 'base64url').toString()).not.toMatch(/shop/i);
  expect(addressDigest('ops@shop.example')).toBe(LINK.address);
});

test('a token of another key, changed, cut, joined or of no sense is refused', () => {
  const token = linkToken(KEY, LINK, NOW);
  const [text = '', mac = ''] = token.split('.');
  const forged = Buffer.from(JSON.stringify(['unsubscribe', 'bakery', 'sub_2', LINK.address, 0])).toString(
    'base64url',
  );
  for (const bad of [
    ...[
      '',
      '.',
      text,
      `${text}.`,
      `.${mac}`,
      `${token}.${mac}`,
      `${forged}.${mac}`,
      `${text}.${mac.slice(0, -2)}`,
    ],
    linkToken(Buffer.alloc(32, 8), LINK, NOW),
    'a'.repeat(1_000_000),
  ]) {
    expect(readLink(KEY, bad, NOW)).toBeUndefined();
  }
});
