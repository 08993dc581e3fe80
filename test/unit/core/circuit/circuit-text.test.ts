import { circuitText } from '../../../../functions/core/circuit/circuit-text.ts';
import { draining } from './given/circuits.ts';

test.each([
  [1, 'draining, 1 payment at a time'],
  [5, 'draining, 5 payments at a time'],
])('a drain with a window of %i is %s', (window, text) => {
  expect(circuitText({ state: 'active', circuit: draining({ window }) })).toBe(text);
});
