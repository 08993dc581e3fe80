import { type Circuit, CLOSED } from '../../../../../functions/core/circuit/circuit.ts';
import type { Found } from '../../../../../functions/core/ordering/delivery-reader.ts';
import type { Subscription } from '../../../../../functions/core/subscription/subscription.ts';
import type { DeliverPorts } from '../../../../../functions/pipeline/deliver/ports.ts';
import { keptSecrets, subscription, TEN_O_CLOCK_MS } from '../../../../support/builders.ts';
import { event, signalled, world } from '../world.ts';

/**
 * A worker starts no attempt that could end later than 50 s after its batch began; this one's deadline is 10
 * s.
 */
const TOO_LONG_MS = 40_001;

const HALF_OPEN: Circuit = {
  ...CLOSED,
  state: 'half_open',
  revision: 5,
  generation: 1,
  timer_at: '2026-11-14T10:00:20.000Z',
  probe_at: '2026-11-14T10:00:20.000Z',
  probes: [],
  cool_down_ms: 10_000,
};

type World = ReturnType<typeof world>;

function one(over: Partial<Subscription> = {}): World {
  return world({ subscriptions: [subscription(over)] });
}

/** From now on a call takes so long. */
function stall<Name extends keyof DeliverPorts>({ ports, pass }: World, name: Name, ms: number): void {
  const call = ports[name] as (...args: never[]) => unknown;
  ports[name] = ((...args: never[]) => {
    pass(ms);
    return call(...args);
  }) as DeliverPorts[Name];
}

/**
 * The secrets that the batch reads are as given; read once more they are all there, and that takes so long.
 */
function stallAfterFirstLook(made: World, first: Found['secrets'], ms: number): void {
  const { lookUp } = made.ports;
  made.ports.lookUp = async (wanted) => {
    made.ports.lookUp = async (again) => {
      made.pass(ms);
      return lookUp(again);
    };
    return { ...(await lookUp(wanted)), secrets: first };
  };
}

const STALE = new Map([['sub_1', { ...keptSecrets(), goodUntilMs: TEN_O_CLOCK_MS }]]);

function expectHandedOver(made: World, signalKind = 'resume'): void {
  expect(made.posts).toEqual([]);
  expect(made.signals).toMatchObject([{ signal_kind: signalKind, payment_id: 'pay-1' }]);
  expect(made.waiting()).toEqual(['a1']);
  expect(made.of('a1')).toMatchObject({ state: 'parked', attempt_count: 0 });
}

describe('a message that has no time left is handed over, unsent, when what stalled was', () => {
  test('reading its secrets again', async () => {
    const made = one();
    stallAfterFirstLook(made, STALE, TOO_LONG_MS);
    expect(await made.run(event('a1'))).toEqual([]);
    expectHandedOver(made);
  });

  test('looking whether its subscription is still there', async () => {
    const made = one();
    stallAfterFirstLook(made, new Map(), TOO_LONG_MS);
    expect(await made.run(event('a1'))).toEqual([]);
    expectHandedOver(made);
    expect(made.faults).toEqual([]);
  });

  test('telling the circuit that it is the probe, and its lease outlives the stall', async () => {
    const made = one({ circuit: { ...HALF_OPEN, probe_at: '2026-11-14T10:05:00.000Z' } });
    const { changeEndpointHealth } = made.ports;
    made.ports.changeEndpointHealth = async (of, change) => {
      made.pass(TOO_LONG_MS);
      return changeEndpointHealth(of, change);
    };
    expect(await made.run(event('a1'))).toEqual([]);
    expectHandedOver(made);
  });

  test('reading what waits for its ordering key', async () => {
    const made = world({
      answer: () => ({ status_code: 503, duration_ms: 20, failure_class: 'http_status' }),
    });
    await made.run(event('a1'));
    made.pass(10_000);
    made.posts.length = 0;
    stall(made, 'waitingIn', TOO_LONG_MS);
    expect(await made.run(signalled('resume'))).toEqual([]);
    expect(made.posts).toEqual([]);
    expect(made.signals).toMatchObject([{ signal_kind: 'resume' }]);
  });
});

test('a stall that leaves the time for an attempt changes nothing', async () => {
  const made = one();
  stallAfterFirstLook(made, STALE, TOO_LONG_MS - 100);
  await made.run(event('a1'));
  expect(made.posts).toHaveLength(1);
});

test('a probe whose lease ends while its secrets are read is not sent: it waits in the backlog', async () => {
  const made = one({ circuit: { ...HALF_OPEN, state: 'open' } });
  await made.run(event('a1'));
  made.subscriptions.set('sub_1', subscription({ circuit: { ...HALF_OPEN, probes: ['sub_1.pay-1'] } }));
  stallAfterFirstLook(made, STALE, 11_000);
  await made.run(signalled('probe'));
  expect(made.posts).toEqual([]);
  expect(made.keys.get('sub_1.pay-1')).toMatchObject({ state: 'backlogged' });
});

test('a message that expires while its secrets are read is not sent', async () => {
  const made = one();
  stallAfterFirstLook(made, STALE, 6_000);
  await made.run(event('a1', { expires_at: '2026-11-14T10:00:05.000Z' }));
  expect(made.posts).toEqual([]);
  expect(made.of('a1')).toMatchObject({ state: 'cancelled', state_reason: 'expired' });
});

test('a ping whose time passes while its secrets are read is received again, and leaves no trace', async () => {
  const made = one();
  stallAfterFirstLook(made, STALE, TOO_LONG_MS);
  const ping = event('a1', { payment_id: 'ping-1', ping: true });
  expect(await made.run(ping)).toEqual([ping.recordId]);
  expect(made.posts).toEqual([]);
  expect(made.of('a1')).toBeUndefined();
});
