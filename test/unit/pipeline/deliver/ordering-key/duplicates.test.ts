import type { AttemptResult } from '../../../../../functions/core/attempt/attempt.ts';
import { TEN_O_CLOCK_MS } from '../../../../support/builders.ts';
import { BUSY, event, knownRecord, OK, settle, signalled, timersOf, world } from '../world.ts';

test('a message that has succeeded is not sent again', async () => {
  const one = event('a', {}, 2);
  const { run, log } = world({ records: [knownRecord(one, { state: 'succeeded' })] });
  expect(await run(one)).toEqual([]);
  expect(log).toEqual(['repeat a']);
});

test('the same message twice in a batch is sent once', async () => {
  const { run, log } = world();
  expect(await run(event('a'), { ...event('a'), recordId: 'another record' })).toEqual([]);
  expect(log).toEqual(['post a', 'repeat a', 'save a']);
});

test('the same message twice in a batch has one attempt when it is refused', async () => {
  const { run, of, posts } = world({ answer: () => BUSY });
  expect(await run(event('a'), { ...event('a'), recordId: 'another record' })).toEqual([]);
  expect(posts).toHaveLength(1);
  expect(of('a')).toMatchObject({ state: 'retrying', attempt_count: 1 });
});

test.each([
  ['was received before', event('a', {}, 2)],
  ['match may have sent before', event('a', { sent_before: true })],
  ['was admitted more than four minutes ago', event('a', { admitted_at_ms: TEN_O_CLOCK_MS - 240_001 })],
  ['happened more than four minutes ago', event('a', { occurred_at: '2026-11-14T09:55:00.000Z' })],
])('a message that %s is looked up in the history', async (_, one) => {
  const { run, asked } = world();
  await run(one);
  expect(asked[0]?.messageIds).toEqual([one.message.message_id]);
});

test('a fresh message is not looked up', async () => {
  const { run, asked } = world();
  await run(event('a'));
  expect(asked[0]?.messageIds).toEqual([]);
});

test('received before and yet not on record: the attempt says that an earlier one may be missing', async () => {
  const { run, of } = world();
  await run(event('a', {}, 2));
  expect(of('a')?.first_attempt).toMatchObject({ attempt: 1, earlier_may_be_missing: true });
});

describe('a record whose worker wrote of it, and failed before it could do more,', () => {
  const notNow = () => Promise.reject(new Error('not now'));

  test('sets the timer of its retry when it comes again', async () => {
    const { run, ports, armed, posts } = world({ answer: () => BUSY });
    const { arm } = ports;
    ports.arm = notNow;
    expect(await run(event('a'))).toHaveLength(1);
    ports.arm = arm;
    expect(await run(event('a', {}, 2))).toEqual([]);
    expect([timersOf(armed), posts.length]).toEqual([['resume pay-1 at 10:00:05.007'], 1]);
  });

  test('sets it after a later attempt, too, when the signal for that comes again', async () => {
    const { run, ports, pass, armed } = world({ answer: () => BUSY });
    await run(event('a'));
    const { arm } = ports;
    ports.arm = notNow;
    pass(5_000);
    expect(await run(signalled('resume'))).toHaveLength(1);
    ports.arm = arm;
    armed.length = 0;
    expect(await run(signalled('resume', {}, 2))).toEqual([]);
    expect(timersOf(armed)).toEqual(['resume pay-1 at 10:01:05.007']);
  });

  test('is sent when it comes again, if there had been no time', async () => {
    const { run, ports, pass, posts, of } = world();
    const { lookUp, signal } = ports;
    ports.lookUp = async (wanted) => {
      pass(48_000);
      return lookUp(wanted);
    };
    ports.signal = notNow;
    expect(await run(event('a'))).toHaveLength(1);
    expect(of('a')).toMatchObject({ state: 'parked', state_reason: 'catching_up' });
    Object.assign(ports, { lookUp, signal });
    expect(await run(event('a', {}, 2))).toEqual([]);
    expect(of('a')).toMatchObject({ state: 'succeeded', first_attempt: { earlier_may_be_missing: true } });
    expect(posts).toHaveLength(1);
  });

  test('has one timer, where all went well and it came twice', async () => {
    const { run, armed } = world({ answer: () => BUSY });
    await run(event('a'));
    expect(await run({ ...event('a'), recordId: 'another record' })).toEqual([]);
    expect(armed).toHaveLength(1);
  });
});

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

const ERASED: [string, string][] = [['bakery#pay-1#a', '']];

test('a message whose large resource was erased before it came is given up, unsent, and what follows continues', async () => {
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

test('one that waits for its ordering key and has nothing left to send is given up, and the ordering key continues', async () => {
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
