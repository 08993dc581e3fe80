import { rememberedFor } from '../../../functions/runtime/remembered-for.ts';

test('all who ask within the time get one answer; a failure is asked again at once', async () => {
  let [nowMs, asked] = [0, 0];
  const ask = rememberedFor(
    10,
    async () => {
      asked += 1;
      if (asked === 2) throw new Error('no');
      return asked;
    },
    () => nowMs,
  );
  expect(await Promise.all([ask(), ask()])).toEqual([1, 1]);
  nowMs = 10;
  await expect(ask()).rejects.toThrow('no');
  expect(await ask()).toBe(3);
  nowMs = 19;
  expect(await ask()).toBe(3);
});
