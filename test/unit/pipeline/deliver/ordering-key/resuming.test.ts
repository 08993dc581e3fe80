import { subscription } from '../../../../support/builders.ts';
import { BUSY, event, OK, signalled, timersOf, world } from '../world.ts';

/** A receiver that refuses until told otherwise. */
function flaky(over: Parameters<typeof world>[0] = {}) {
  let answer = BUSY;
  const made = world({ answer: () => answer, ...over });
  return {
    ...made,
    heal: () => {
      answer = OK;
    },
  };
}

test('what waits for an ordering key is delivered in order when it is due, and the ordering key is free', async () => {
  const { run, pass, heal, posts, log, keys, of } = flaky();
  await run(event('a1'), event('a2'), event('a3'), event('a4'), event('a5'));
  heal();
  pass(5_000);
  posts.length = 0;
  log.length = 0;
  expect(await run(signalled('resume'))).toEqual([]);
  expect(log).toEqual([
    'post a1',
    'commit sub_1.pay-1 waiting',
    // The success ends the run of failures.
    'sub_1 active closed',
    'post a2',
    'commit sub_1.pay-1 waiting',
    'post a3',
    'commit sub_1.pay-1 waiting',
    'post a4',
    'commit sub_1.pay-1 waiting',
    'post a5',
    'commit sub_1.pay-1 free',
  ]);
  expect(keys.size).toBe(0);
  expect(of('a1')).toMatchObject({ state: 'succeeded', attempt_count: 2, time_to_send_ms: 7 });
  expect(of('a2')).toMatchObject({
    state: 'succeeded',
    attempt_count: 1,
    time_to_send_ms: 7,
    held_ms: 5_000,
  });
});

test('a second attempt is an item of its own, signed anew, with the body as first sent', async () => {
  const { run, pass, heal, posts, laterAttempts, of } = flaky();
  await run(event('a1'));
  heal();
  pass(5_000);
  await run(signalled('resume'));
  expect(laterAttempts).toMatchObject([
    { attempt: 2, status_code: 200, started_at: '2026-11-14T10:00:05.007Z' },
  ]);
  expect(of('a1')).not.toHaveProperty('last_failure_class');
  expect(of('a1')?.first_attempt).toMatchObject({ attempt: 1, status_code: 503 });
  expect(posts[1]?.body).toBe(posts[0]?.body);
  expect(posts[1]?.headers).toMatchObject({ 'webhook-attempt': '2', 'webhook-timestamp': '1794650405' });
});

test('each failure waits for the next delay; one of more than a quarter of an hour gets its timer from sweep', async () => {
  const { run, pass, armed, of, keys } = flaky();
  await run(event('a1'));
  for (const seconds of [5, 60, 300, 1_800]) {
    pass(seconds * 1_000);
    await run(signalled('resume'));
  }
  expect(timersOf(armed)).toEqual([
    'resume pay-1 at 10:00:05.007',
    'resume pay-1 at 10:01:05.007',
    'resume pay-1 at 10:06:05.007',
  ]);
  expect(of('a1')).toMatchObject({ attempt_count: 5, next_attempt_at: '2026-11-14T12:36:05.007Z' });
  expect(keys.get('sub_1.pay-1')).toMatchObject({ check_at: '2026-11-14T12:22:05.007Z' });
});

test('a message whose schedule is used up is exhausted, and the one behind it continues at once', async () => {
  const schedule = { subscriptions: [subscription({ schedule: 'govuk' })] };
  const { run, pass, heal, of, keys } = flaky({ ...schedule, answer: (id) => (id === 'a1' ? BUSY : OK) });
  heal();
  await run(event('a1'), event('a2'));
  for (const seconds of [60, 300, 3_600, 86_400, 2 * 86_400]) {
    pass(seconds * 1_000);
    await run(signalled('resume'));
  }
  expect(of('a1')).toMatchObject({ state: 'exhausted', state_reason: 'schedule', attempt_count: 6 });
  expect(of('a1')).not.toHaveProperty('next_attempt_at');
  expect(of('a2')).toMatchObject({ state: 'succeeded' });
  expect(keys.size).toBe(0);
});

test.each([
  ['a key that is not paused', []],
  ['a key that is not due', [event('a1')]],
])('a signal for %s is ignored', async (_, before) => {
  const { run, log, posts } = flaky();
  await run(...before);
  log.length = 0;
  posts.length = 0;
  expect(await run(signalled('resume'), signalled('drain'), signalled('release'), signalled('skip'))).toEqual(
    [],
  );
  expect(log).toEqual([]);
});

test('a doubled signal finds nothing to do', async () => {
  const { run, pass, heal, posts } = flaky();
  await run(event('a1'));
  heal();
  pass(5_000);
  await run(signalled('resume'), signalled('resume'));
  expect(posts).toHaveLength(2);
});

test('an ordering key that is blocked without a queued message is freed', async () => {
  const { run, pass, keys, ports } = flaky();
  await run(event('a1'));
  pass(5_000);
  ports.waitingIn = async () => ({ waiting: [], isAll: true });
  expect(await run(signalled('resume'))).toEqual([]);
  expect(keys.size).toBe(0);
});

test('a queued message without a record is removed, and the one behind it continues', async () => {
  const { run, pass, heal, records, of, keys, log } = flaky();
  await run(event('a1'), event('a2'));
  records.delete(of('a1')?.message_id ?? '');
  heal();
  pass(5_000);
  expect(await run(signalled('resume'))).toEqual([]);
  expect(log).toContain('lost a1');
  expect(of('a2')).toMatchObject({ state: 'succeeded' });
  expect(keys.size).toBe(0);
});

test('what waits for a subscription that is deleted is cancelled, message by message', async () => {
  const { run, pass, subscriptions, of, keys, posts } = flaky();
  await run(event('a1'), event('a2'));
  subscriptions.clear();
  pass(5_000);
  expect(await run(signalled('resume'))).toEqual([]);
  expect([of('a1')?.state, of('a2')?.state]).toEqual(['cancelled', 'cancelled']);
  expect(keys.size).toBe(0);
  expect(posts).toHaveLength(1);
});

test('when time runs out in the middle, a signal has the ordering key continue where it stopped', async () => {
  const { run, pass, heal, waiting, signals, keys } = flaky({
    subscriptions: [subscription({ timeout_ms: 30_000 })],
    attemptTakesMs: 21_000,
  });
  await run(event('a1'), event('a2'), event('a3'));
  heal();
  pass(5_000);
  expect(await run(signalled('resume'))).toEqual([]);
  expect(waiting()).toEqual(['a2', 'a3']);
  expect(signals).toMatchObject([{ payment_id: 'pay-1', signal_kind: 'resume' }]);
  expect(keys.get('sub_1.pay-1')).toMatchObject({ state: 'waiting' });
  await run(signalled('resume'));
  await run(signalled('resume'));
  expect(waiting()).toEqual([]);
});

test('a first message after the last one that waited is attempted, in the same batch', async () => {
  const { run, pass, heal, of } = flaky();
  await run(event('a1'));
  heal();
  pass(5_000);
  await run(signalled('resume'), event('a2'));
  expect(of('a2')).toMatchObject({ state: 'succeeded', attempt_count: 1 });
});

test('a signal that is received again says that an attempt may be missing, of the first message alone', async () => {
  const { run, pass, heal, laterAttempts, of } = flaky();
  await run(event('a1'), event('a2'));
  heal();
  pass(5_000);
  await run(signalled('resume', {}, 2));
  expect(laterAttempts[0]).toMatchObject({ attempt: 2, earlier_may_be_missing: true });
  expect(of('a2')?.first_attempt).not.toHaveProperty('earlier_may_be_missing');
});

test('a message that was received before and then parked says so at its first attempt', async () => {
  const { run, pass, heal, of } = flaky();
  await run(event('a1'), event('a2', {}, 2));
  heal();
  pass(5_000);
  await run(signalled('resume'));
  expect(of('a2')?.first_attempt).toMatchObject({ attempt: 1, earlier_may_be_missing: true });
  expect(of('a2')).not.toHaveProperty('earlier_may_be_missing');
});

test('a signal that is received again, and whose message has to wait, leaves on record that an attempt may be missing', async () => {
  const { run, pass, heal, subscriptions, laterAttempts } = flaky();
  await run(event('a1'));
  heal();
  pass(5_000);
  subscriptions.set('sub_1', subscription({ state: 'paused' }));
  await run(signalled('resume', {}, 2));
  subscriptions.set('sub_1', subscription());
  await run(signalled('drain'));
  expect(laterAttempts).toMatchObject([{ attempt: 2, earlier_may_be_missing: true }]);
});

test('an ordering key with more to end than there is time for is handed over in between', async () => {
  const { run, pass, subscriptions, waiting, signals, ports } = flaky();
  await run(event('a1'), event('a2'), event('a3'));
  subscriptions.clear();
  pass(5_000);
  const commit = ports.commit;
  ports.commit = async (one) => {
    pass(30_000);
    return commit(one);
  };
  await run(signalled('resume'));
  expect(waiting()).toEqual(['a3']);
  expect(signals).toMatchObject([{ signal_kind: 'resume' }]);
});

test('when time runs out, several signals to one ordering key become one', async () => {
  const { run, pass, heal, signals, waiting } = flaky({ attemptTakesMs: 21_000 });
  await run(event('a1'), event('a2'), event('a3'), event('a4'), event('a5'));
  heal();
  pass(5_000);
  await run(signalled('resume'), signalled('resume'), signalled('resume'));
  expect(signals).toMatchObject([{ signal_kind: 'resume' }]);
  expect(waiting()).toEqual(['a3', 'a4', 'a5']);
});
