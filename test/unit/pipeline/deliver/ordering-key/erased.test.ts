import { BUSY, event, OK, signalled, world } from '../world.ts';

const ERASED: [string, string][] = [['bakery#pay-1#a', '']];

test('a message whose large resource was erased before it came is given up, unsent, and what follows goes on', async () => {
  const { run, of, posts, keys, log } = world({ resources: ERASED });
  expect(await run(event('a', { resource: undefined }), event('a2'))).toEqual([]);
  expect(of('a')).toMatchObject({
    state: 'cancelled',
    state_reason: 'skipped',
    attempt_count: 0,
    body_erased_at: '2026-11-14T10:00:00.007Z',
  });
  expect(posts).toHaveLength(1);
  expect(of('a2')).toMatchObject({ state: 'succeeded' });
  expect(keys.size).toBe(0);
  expect(log.join()).not.toContain('stuck');
});

test('one that waits for its ordering key and has nothing left to send is given up, and the ordering key goes on', async () => {
  let answer = BUSY;
  const { run, of, records, pass, posts, keys, faults } = world({ answer: () => answer });
  await run(event('a1'), event('a2'));
  const { resource: _, ...rest } = of('a1')!;
  records.set(rest.message_id, { ...rest, body_erased_at: '2026-11-14T10:00:01.000Z' });
  answer = OK;
  pass(5_000);
  expect(await run(signalled('resume'))).toEqual([]);
  expect(of('a1')).toMatchObject({
    state: 'cancelled',
    state_reason: 'skipped',
    attempt_count: 1,
    body_erased_at: '2026-11-14T10:00:01.000Z',
  });
  expect(of('a2')).toMatchObject({ state: 'succeeded' });
  expect(posts).toHaveLength(2);
  expect([keys.size, faults]).toEqual([0, []]);
});
