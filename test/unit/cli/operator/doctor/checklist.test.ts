import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ALL_CHECKS } from '../../../../../cli/operator/doctor/all-checks.ts';
import { byHand, checklist, itemsOf } from '../../../../../cli/operator/doctor/checklist.ts';
import { PROJECT } from '../../../../support/documented/pages.ts';

const items = checklist();

test('the checklist is numbered in its order, each number once', () => {
  const numbers = items.map(({ number }) => number);
  expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
  expect(items.length).toBeGreaterThanOrEqual(25);
});

test('every item is seen to by a check, or listed for people', () => {
  const whole = ALL_CHECKS.flatMap((check) => check.items ?? []);
  const listed = byHand(items, ALL_CHECKS).map(({ number }) => number);
  expect([...whole, ...listed].sort((a, b) => a - b)).toEqual(items.map(({ number }) => number));
});

test('the page says of which items the doctor sees to a part, or to all', () => {
  const page = readFileSync(path.join(PROJECT, 'docs/aws-checklist.md'), 'utf8');
  const told = [...page.matchAll(/^\| (\d+) \| [^|]+ \| Doctor\b/gm)].map(([, number]) => Number(number));
  const seenTo = ALL_CHECKS.flatMap(({ items = [], partOf = [] }) => [...items, ...partOf]);
  expect(told).toEqual([...new Set(seenTo)].sort((a, b) => a - b));
});

test('an item for which the page names a command besides the doctor stays on the list', () => {
  const page = readFileSync(path.join(PROJECT, 'docs/aws-checklist.md'), 'utf8');
  const byDoctorAlone = [...page.matchAll(/^\| (\d+) \| [^|]+ \| Doctor[^;|]*\|/gm)].map(([, number]) =>
    Number(number),
  );
  const whole = ALL_CHECKS.flatMap((check) => check.items ?? []);
  expect(whole.sort((a, b) => a - b)).toEqual(byDoctorAlone);
});

test('no check names an item that is not there, and each name is there once', () => {
  const numbers = items.map(({ number }) => number);
  const named = ALL_CHECKS.flatMap((check) => [...(check.items ?? []), ...(check.partOf ?? [])]);
  expect(named.filter((number) => !numbers.includes(number))).toEqual([]);
  expect(new Set(ALL_CHECKS.map(({ name }) => name)).size).toBe(ALL_CHECKS.length);
});

test('whether the account has room for prod stays a question until the doctor examines prod itself', () => {
  const left = (name: 'dev' | 'prod') =>
    byHand(itemsOf({ name }), ALL_CHECKS).filter(({ number }) => number === 1);
  expect(left('dev')).toEqual([{ ...items[0], inPart: true }]);
  expect(left('prod')).toEqual([]);
});

test('an item of which a check does a part stays on the list, and is told as such', () => {
  const [first, second] = byHand(checklist('| 1 | One | |\n| 2 | Two | |\n'), [
    { name: 'some', partOf: [2], run: async () => ({ outcome: 'ok', seen: '', todo: [] }) },
  ]);
  expect(first).toEqual({ number: 1, heading: 'One', inPart: false });
  expect(second).toEqual({ number: 2, heading: 'Two', inPart: true });
});
