import { type Arrival, accepted, overtakers } from '../../support/network/scripted-partner.ts';

/** An arrival of a step of the payment `a`; answered at once, unless it says otherwise. */
function arrival(step: number, arrivedAtMs: number, over: Partial<Arrival> = {}): Arrival {
  return {
    endpoint: 'partner',
    payment_id: 'a',
    step,
    message_id: `msg_${step}`,
    attempt: 1,
    arrivedAtMs,
    answeredAtMs: arrivedAtMs,
    status: 200,
    senderPort: undefined,
    headers: {},
    body: '',
    ...over,
  };
}

test('nobody has overtaken where each step came after the one before it was accepted', () => {
  const arrivals = [arrival(1, 0), arrival(1, 1, { payment_id: 'b' }), arrival(2, 2), arrival(3, 3)];
  expect(overtakers(arrivals)).toEqual([]);
  expect(accepted(arrivals)).toEqual(['a/1', 'b/1', 'a/2', 'a/3']);
});

test('a repeat of a step that was accepted has overtaken nobody', () => {
  expect(overtakers([arrival(1, 0), arrival(2, 1), arrival(1, 2), arrival(2, 3)])).toEqual([]);
});

test.each([
  ['was refused', { status: 503 }],
  ['was still being held', { answeredAtMs: 9 }],
  ['was never answered', { status: undefined, answeredAtMs: undefined, senderLeft: true }],
])('a step that came when the one before it %s has overtaken it', (_, over) => {
  expect(overtakers([arrival(1, 0, over as Partial<Arrival>), arrival(2, 1)])).toEqual(['a/2']);
});

test('a step that came when one before it never had has overtaken it, unless that was given up', () => {
  expect(overtakers([arrival(2, 0), arrival(3, 1)])).toEqual(['a/2', 'a/3']);
  expect(overtakers([arrival(2, 0), arrival(3, 1)], ['a/1'])).toEqual([]);
});
