import type { AttemptResult } from '../../../../../functions/core/attempt/attempt.ts';
import { type Circuit, CLOSED } from '../../../../../functions/core/circuit/circuit.ts';
import { subscription } from '../../../../support/builders.ts';
import { event, OK, signalled, world } from '../world.ts';

const TOO_MANY: AttemptResult = {
  status_code: 429,
  duration_ms: 7,
  failure_class: 'http_status',
  failure_reason: 'answered 429',
};
const asksFor = (seconds: string): AttemptResult => ({
  ...TOO_MANY,
  response_headers: { 'retry-after': seconds },
});
const DRAINING: Circuit = { ...CLOSED, state: 'draining', window: 8, revision: 5 };

const refusing = (answer: AttemptResult) => world({ subscriptions: [subscription()], answer: () => answer });

test('what an overloaded endpoint refuses takes its turn in the backlog again, and uses up nothing', async () => {
  const made = refusing(TOO_MANY);
  await made.run(event('a1'));
  expect(made.of('a1')).toMatchObject({ state: 'parked', state_reason: 'catching_up', attempt_count: 1 });
  expect(made.subscriptions.get('sub_1')?.circuit).toMatchObject({ state: 'draining', cause: 'overloaded' });
});

test.each([
  ['a second later', TOO_MANY, 0, '2026-11-14T10:00:01.007Z'],
  ['when it asks for it', asksFor('40'), 0, '2026-11-14T10:00:40.007Z'],
  ['five minutes later at most, whatever it asks for', asksFor('86400'), 0, '2026-11-14T10:05:00.007Z'],
  ['an hour later at most, however often it was refused', TOO_MANY, 14, '2026-11-14T11:00:00.007Z'],
  ['later with each attempt', TOO_MANY, 3, '2026-11-14T10:00:08.007Z'],
])('its turn comes %s', async (_, answer, earlier, from) => {
  const made = refusing(answer);
  await made.run(event('a1'));
  for (let attempt = 0; attempt < earlier; attempt += 1) {
    await made.run(signalled('drain'));
  }
  expect(made.keys.get('sub_1.pay-1')).toMatchObject({
    state: 'backlogged',
    backlogged_at: from,
    check_at: from,
  });
});

test('it is given up once it is over age, not before', async () => {
  const made = refusing(TOO_MANY);
  await made.run(event('a1'));
  for (let attempt = 0; attempt < 20; attempt += 1) {
    await made.run(signalled('drain'));
  }
  expect(made.of('a1')).toMatchObject({ state: 'parked', attempt_count: 21 });
  made.pass(76 * 3_600_000);
  await made.run(signalled('drain'));
  expect(made.of('a1')).toMatchObject({ state: 'exhausted', state_reason: 'age' });
});

test('if its circuit cannot be told, it has a time of its own: no drain would look after it', async () => {
  const made = refusing(asksFor('7'));
  made.ports.changeEndpointHealth = async () => undefined;
  await made.run(event('a1'));
  expect(made.of('a1')).toMatchObject({ state: 'retrying', next_attempt_at: '2026-11-14T10:00:07.007Z' });
});

describe('an ordering key that joins the backlog on an old reading of the circuit', () => {
  /** Its commit takes so long, and the circuit closes meanwhile. */
  async function joining(tookMs: number, over = {}) {
    const made = world({ subscriptions: [subscription({ circuit: DRAINING, ...over })], answer: () => OK });
    const { commit } = made.ports;
    made.ports.commit = async (one) => {
      made.pass(tookMs);
      made.subscriptions.set('sub_1', subscription({ circuit: { ...CLOSED, revision: 9 }, ...over }));
      return commit(one);
    };
    await made.run(event('a1'), event('b1', { payment_id: 'pay-2' }));
    expect([made.of('a1'), made.of('b1')]).toMatchObject([{ state: 'parked' }, { state: 'parked' }]);
    return made;
  }

  test('is signalled if the circuit has closed since: no drain would find it', async () => {
    expect((await joining(6_000)).signals).toMatchObject([
      { signal_kind: 'drain', payment_id: 'pay-1' },
      { signal_kind: 'drain', payment_id: 'pay-2' },
    ]);
  });

  test('brings the timer of its rate limit forward', async () => {
    const made = await joining(6_000, { rate_limit: 5 });
    expect(made.signals).toEqual([]);
    expect(made.subscriptions.get('sub_1')?.circuit).toMatchObject({ state: 'closed', idle_timers: 0 });
  });

  test('costs no reading while a timer that follows a drain would soon find it', async () => {
    const made = await joining(1_000);
    expect(made.asked).toHaveLength(1);
    expect(made.signals).toEqual([]);
  });
});
