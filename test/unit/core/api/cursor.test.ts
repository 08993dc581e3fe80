import { cursorOf, positionOf } from '../../../../functions/core/api/cursor.ts';

const position = { message_id: 'msg_1', admitted_at: '2026-01-01T00:00:00.123Z' };

function encoded(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

test('a cursor leads back to its position', () => {
  expect(positionOf(cursorOf(position))).toEqual(position);
});

test('a cursor holds only its position, nothing else of the message', () => {
  const message = { ...position, service_id: 'shop' };
  expect(cursorOf(message)).toBe(cursorOf(position));
});

test('a cursor needs no encoding in a URL', () => {
  expect(cursorOf(position)).toMatch(/^[A-Za-z0-9_-]+$/);
});

test.each([
  ['nothing', ''],
  ['not base64', '%%%'],
  ['not JSON', 'abcd'],
  ['not a position', encoded(null)],
  ['an incomplete position', encoded({ message_id: 'msg_1' })],
  ['not an instant', encoded({ ...position, admitted_at: 'yesterday' })],
  ['an instant with too many digits', encoded({ ...position, admitted_at: '2026-01-01T00:00:00.1234Z' })],
  ['not the id of a message', encoded({ ...position, message_id: 'sub_1' })],
  ['a subscription id', encoded({ ...position, subscription_id: 'sub_other' })],
])('a cursor with %s is not one of ours', (_, cursor) => {
  expect(positionOf(cursor)).toBeUndefined();
});
