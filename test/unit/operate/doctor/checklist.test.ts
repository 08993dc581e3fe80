import { ALL_CHECKS } from '../../../../operate/doctor/all-checks.ts';
import { byHand, checklist } from '../../../../operate/doctor/checklist.ts';

const items = checklist();

test('the checklist is numbered without gaps', () => {
  expect(items.map(({ number }) => number)).toEqual(items.map((_, index) => index + 1));
  expect(items.length).toBeGreaterThanOrEqual(25);
});

test('every item is seen to by a check, or listed for people', () => {
  const whole = ALL_CHECKS.flatMap((check) => check.items ?? []);
  const listed = byHand(items, ALL_CHECKS).map(({ number }) => number);
  expect([...whole, ...listed].sort((a, b) => a - b)).toEqual(items.map(({ number }) => number));
});

test('no check names an item that is not there, and each name is there once', () => {
  const numbers = items.map(({ number }) => number);
  const named = ALL_CHECKS.flatMap((check) => [...(check.items ?? []), ...(check.partOf ?? [])]);
  expect(named.filter((number) => !numbers.includes(number))).toEqual([]);
  expect(new Set(ALL_CHECKS.map(({ name }) => name)).size).toBe(ALL_CHECKS.length);
});

test.each([
  [1, 'A webhook arrives'],
  [2, 'Requests without a token get a 401 of ours'],
  [3, 'Recursive loop detection'],
  [10, 'Log lines become metrics'],
  [13, 'The key of the signing secrets'],
  [17, 'The account has room for `prod`'],
])('item %i, which needs nobody’s hands, is still about: %s', (number, heading) => {
  expect(items[number - 1]).toEqual({ number, heading });
});

test('an item of which a check does a part stays on the list, and is told as such', () => {
  const [first, second] = byHand(checklist('## 1. One\n## 2. Two\n'), [
    { name: 'some', partOf: [2], run: async () => ({ outcome: 'ok', seen: '', todo: [] }) },
  ]);
  expect(first).toEqual({ number: 1, heading: 'One', inPart: false });
  expect(second).toEqual({ number: 2, heading: 'Two', inPart: true });
});
