import type { AttemptResult } from '../../../../../functions/core/attempt/attempt.ts';
import { BUSY, event, OK, settle, world } from '../world.ts';

test('after 250 ms finished records are written and released while others are under way', async () => {
  const held = Promise.withResolvers<AttemptResult>();
  const { run, log, elapse } = world({ answer: (id) => (id === 'slow' ? held.promise : OK) });
  const running = run(event('slow', { payment_id: 's' }), event('quick', { payment_id: 'q' }));
  await settle();
  elapse();
  await settle();
  expect(log).toEqual(['post slow', 'post quick', 'save quick', 'acknowledge quick']);
  held.resolve(OK);
  expect(await running).toEqual([]);
  expect(log.at(-1)).toBe('save slow');
});

test('a blocked ordering key is released early too, not when the slowest is done', async () => {
  const held = Promise.withResolvers<AttemptResult>();
  const { run, log, elapse } = world({ answer: (id) => (id === 'slow' ? held.promise : BUSY) });
  const running = run(event('slow', { payment_id: 's' }), event('busy', { payment_id: 'b' }));
  await settle();
  elapse();
  await settle();
  expect(log).toContain('acknowledge busy');
  held.resolve(OK);
  expect(await running).toEqual([]);
});

test('what could not be written early is written at the end', async () => {
  const held = Promise.withResolvers<AttemptResult>();
  let outage = true;
  const { run, of, faults, elapse } = world({
    answer: (id) => (id === 'slow' ? held.promise : OK),
    save: async () => {
      if (outage) throw new Error('DynamoDB is away');
    },
  });
  const running = run(event('slow', { payment_id: 's' }), event('quick', { payment_id: 'q' }));
  await settle();
  elapse();
  await settle();
  expect(faults).toHaveLength(1);
  outage = false;
  held.resolve(OK);
  expect(await running).toEqual([]);
  expect([of('quick')?.state, of('slow')?.state]).toEqual(['succeeded', 'succeeded']);
});
