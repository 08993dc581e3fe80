import { nextPosition, reservedPosition } from '../../../../functions/core/sequence/steps.ts';

const at = (order_number: string, admitted_at_ms = 0) => ({ order_number, admitted_at_ms });

test.each([
  ['the first takes the position of its record', '', '7', '7'],
  ['so does one whose record came behind', '7', '12', '12'],
  ['a second one of the same record comes right behind the first', '12', '12', '12.0001'],
  ['and a third one behind that', '12.0001', '12', '12.0002'],
  ['one that an older record lets go on comes behind what went on before', '12.0002', '9', '12.0003'],
  ['order numbers are compared by value, not as text', '9', '10', '10'],
])('%s', (_, last, record, next) => {
  expect(nextPosition(at(last), at(record)).order_number).toBe(next);
});

test('nothing goes on earlier than what went on before it', () => {
  expect(nextPosition(at('12', 500), at('9', 300)).admitted_at_ms).toBe(500);
  expect(nextPosition(at('12', 500), at('13', 700)).admitted_at_ms).toBe(700);
});

test('a position is reserved ahead of what goes on, and never moves back', () => {
  expect(nextPosition(reservedPosition(at('5'), at('9')), at('9')).order_number).toBe('9.0001');
  expect(reservedPosition(at('9.0001'), at('8'))).toEqual(at('9.0001'));
  expect(reservedPosition(at('9', 500), at('9', 300))).toEqual(at('9', 500));
});
