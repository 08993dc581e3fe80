import { hint, hintSchema, timerSchema, WISHES } from '../../../../functions/core/ordering/signal.ts';

const name = { service_id: 'bakery', subscription_id: 'sub_1', payment_id: 'pay-1' };

test.each(WISHES)('a hint names a key and the wish %s, and holds nothing else of the key', (wish) => {
  const key = { ...name, revision: 7, state: 'waiting' };
  expect(hint(key, wish)).toEqual({ v: 1, ...name, wish });
  expect(hintSchema.parse(hint(key, wish))).toEqual({ v: 1, ...name, wish });
});

test('a timer holds a hint, a tick of a circuit, or a step of a recovery', () => {
  const hinted = { kind: 'hint', ...hint(name, 'due') };
  const tick = { v: 1, kind: 'tick', service_id: 'bakery', subscription_id: 'sub_1', tick: 3 };
  expect(timerSchema.parse(hinted)).toEqual(hinted);
  expect(timerSchema.parse(tick)).toEqual(tick);
  const { tick: _, ...subscription } = tick;
  const step = { ...subscription, kind: 'recovery', recovery_id: 'rec_1', step: 3 };
  expect(timerSchema.parse(step)).toEqual(step);
});

test.each([
  ['of a later format', { kind: 'hint', ...hint(name, 'due'), v: 2 }],
  ['with a wish that nobody knows', { kind: 'hint', ...hint(name, 'due'), wish: 'hurry' }],
  ['without a payment', { kind: 'hint', ...hint(name, 'due'), payment_id: undefined }],
  ['without a number', { v: 1, kind: 'tick', service_id: 'bakery', subscription_id: 'sub_1' }],
  ['of no kind', hint(name, 'due')],
])('a timer %s is none of ours', (_, timer) => {
  expect(timerSchema.safeParse(timer).success).toBe(false);
});
