import { neighboursOf } from '../../../console/messages/neighbours-of.ts';

const course = (message_id: string, subscription_id: string) => ({
  message_id,
  subscription_id,
  event_type: message_id.slice(4),
});
/** Newest first, as the API lists them. */
const MESSAGES = [
  course('msg_c', 'sub_1'),
  course('msg_x', 'sub_2'),
  course('msg_b', 'sub_1'),
  course('msg_a', 'sub_1'),
];
const beside = (message_id: string, subscription_id = 'sub_1') => {
  const { previous, next } = neighboursOf({ message_id, subscription_id }, MESSAGES);
  return [previous?.message_id, next?.message_id];
};

test('beside a message are those of its payment that its own subscription gets', () => {
  expect(beside('msg_b')).toEqual(['msg_a', 'msg_c']);
  expect(beside('msg_a')).toEqual([undefined, 'msg_b']);
  expect(beside('msg_c')).toEqual(['msg_b', undefined]);
  expect(beside('msg_x', 'sub_2')).toEqual([undefined, undefined]);
});

test('of a message that the payment does not list nothing is said', () => {
  expect(beside('msg_old')).toEqual([undefined, undefined]);
});
