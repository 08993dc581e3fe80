import { DELIVERY_POLICY } from '../../../../functions/core/attempt/delivery-policy.ts';
import { isCrowded, isSlow, roomFor } from '../../../../functions/core/circuit/crowding.ts';

const policy = DELIVERY_POLICY.circuit;

test.each([
  [124, 124, false],
  [125, 125, true],
  [250, 250, true],
])('a subscription alone with %i slow attempts of %i', (own, all, expected) => {
  expect(isCrowded({ own, all }, policy)).toBe(expected);
});

test.each([
  [1, 125],
  [2, 84],
  [4, 50],
  [9, 25],
  [124, 2],
])('each of %i subscriptions that hang alike is crowded from %i on', (count, max) => {
  expect(isCrowded({ own: max, all: count * max }, policy)).toBe(true);
  expect(isCrowded({ own: max - 1, all: count * (max - 1) }, policy)).toBe(false);
});

test.each([
  ['that began half a second ago', 0, 500, true],
  ['that began a moment sooner', 0, 499, false],
  ['whose worker was stopped for three seconds', 3_000, 3_400, false],
  ['whose worker was stopped, and looked for half a second besides', 3_000, 3_500, true],
])('an attempt %s is slow: %i, %i, %s', (_, blindMs, ms, expected) => {
  expect(isSlow({ atMs: 0, blindMs: 70 }, { atMs: ms, blindMs: 70 + blindMs }, policy)).toBe(expected);
});

test('one slow attempt is not crowded, however many the others have', () => {
  expect(isCrowded({ own: 1, all: 10_000 }, policy)).toBe(false);
  expect(isCrowded({ own: 2, all: 10_000 }, policy)).toBe(true);
});

test('a few slow attempts are not crowded while there is room', () => {
  expect(isCrowded({ own: 10, all: 239 }, policy)).toBe(false);
  expect(isCrowded({ own: 10, all: 240 }, policy)).toBe(true);
});

test.each([
  [0, 250],
  [249, 1],
  [250, 0],
  [400, -150],
])('with %i slow attempts under way there is room for %i more', (all, expected) => {
  expect(roomFor(all, policy)).toBe(expected);
});

test('when every crowded subscription stops, room is always left for one more', () => {
  for (let count = 1; count <= 100; count += 1) {
    const owns = Array<number>(count).fill(0);
    for (let isGrowing = true; isGrowing; ) {
      isGrowing = false;
      for (const index of owns.keys()) {
        const all = owns.reduce((sum, own) => sum + own, 0);
        if (!isCrowded({ own: owns[index] as number, all }, policy)) {
          owns[index] = (owns[index] as number) + 1;
          isGrowing = true;
        }
      }
    }
    expect(
      roomFor(
        owns.reduce((sum, own) => sum + own, 0),
        policy,
      ),
    ).toBeGreaterThan(0);
  }
});
