test('the end of a window, which has no records, is answered with a state, as Lambda demands of each answer', async () => {
  process.env.STATISTICS_TABLE = 'statistics';
  const { handler } = await import('../../../../functions/streams/statistics/handler.ts');
  expect(await handler({ Records: [] })).toEqual({ state: {} });
  expect(await handler({})).toEqual({ state: {} });
});
