import { DELIVERY_POLICY } from '../../../../functions/core/attempt/delivery-policy.ts';
import { RefusedError } from '../../../../functions/core/errors/refused-error.ts';
import { NewerFormatError } from '../../../../functions/core/event/format-version.ts';
import { deliver } from '../../../../functions/pipeline/deliver/deliver.ts';
import type { Incoming } from '../../../../functions/pipeline/deliver/ports.ts';
import { keptSecrets, message, subscription, TEN_O_CLOCK_MS } from '../../../support/builders.ts';
import { BUSY, event, OK, settle, signalled, world } from './world.ts';

/** Runs with a clock that moves only while something waits. */
function patiently({ ports }: Pick<ReturnType<typeof world>, 'ports'>, ...incoming: Incoming[]) {
  let nowMs = TEN_O_CLOCK_MS;
  const running = deliver(
    incoming,
    {
      ...ports,
      now: () => nowMs,
      after: async (ms) => {
        nowMs += ms;
        await settle();
      },
    },
    DELIVERY_POLICY,
  );
  return { running, tookMs: () => nowMs - TEN_O_CLOCK_MS };
}

test('when the history cannot be written for long the records are received again, so that nothing is taken for done', async () => {
  const made = world({
    save: async () => {
      throw new Error('DynamoDB is away');
    },
  });
  const { running, tookMs } = patiently(made, event('a'));
  expect(await running).toEqual(['record of a']);
  expect(String(made.faults.at(-1))).toBe('Error: DynamoDB is away');
  expect(tookMs()).toBeGreaterThan(50_000);
  expect(tookMs()).toBeLessThan(60_000);
});

test('a short outage of the tables sends nothing again, and a commit keeps its token', async () => {
  let failures = 6;
  const tokens = new Set<string>();
  const away = async () => {
    failures -= 1;
    if (failures >= 0) throw new Error('DynamoDB is away');
    return undefined;
  };
  const made = world({
    answer: (id) => (id === 'a' ? OK : BUSY),
    save: away,
    commit: async ({ token }) => {
      tokens.add(token);
      return away();
    },
  });
  const { running } = patiently(made, event('a', { payment_id: 'a' }), event('b', { payment_id: 'b' }));
  expect(await running).toEqual([]);
  expect(made.posts).toHaveLength(2);
  expect(tokens.size).toBe(1);
});

test('an ordering key that another worker has changed is left to it: its records are received again', async () => {
  const { run, faults, of } = world({
    answer: (id) => (id === 'b' ? OK : BUSY),
    commit: async () => 'overtaken',
  });
  const again = await run(event('a', { payment_id: 'a' }), event('b', { payment_id: 'b' }));
  expect(again).toEqual(['record of a']);
  expect(String(faults[0])).toBe('OvertakenError: sub_1.a was changed by another worker');
  expect(of('b')).toMatchObject({ state: 'succeeded' });
});

test.each([
  ['the resource of event a is not on record as', { resource: undefined }, []],
  ['cannot be read', {}, [['sub_1', new Error('cannot be read')]] as [string, Error][]],
])(
  'what one message alone causes (%s) has its ordering key wait for an operator, and no other',
  async (explanation, over, broken) => {
    const { run, log, keys, of, waiting } = world({ faults: broken });
    const batch = [
      event('a', { payment_id: 'a', ...over }),
      event('a2', { payment_id: 'a' }),
      event('b', { payment_id: 'b', subscription_id: 'sub_2' }),
    ];
    expect(await run(...batch)).toEqual([]);
    expect(log).toContain('post b');
    expect(log).toContain('stuck sub_1.a');
    expect(keys.get('sub_1.a')).toMatchObject({
      state: 'stuck',
      explanation: expect.stringContaining(explanation),
    });
    expect(of('a')).toMatchObject({ state: 'parked', state_reason: 'fault', attempt_count: 0 });
    expect(waiting('sub_1.a')).toEqual(['a', 'a2']);
  },
);

test.each([
  ['was sent', OK, []],
  ['waits', BUSY, ['a']],
])(
  'a repeat of a message that %s and whose record cannot be read is told of and no more',
  async (_, answer, inBacklog) => {
    const { run, ports, posts, waiting, faults, keys } = world({ answer: () => answer });
    await run(event('a'));
    const before = structuredClone([keys.get('sub_1.pay-1'), posts.length]);
    const { lookUp } = ports;
    const id = message({ event_id: 'a' }).message_id;
    ports.lookUp = async (wanted) => ({
      ...(await lookUp(wanted)),
      records: new Map(),
      internalErrors: new Map([[id, new Error('cannot be read')]]),
    });
    expect(await run(event('a'))).toEqual([]);
    expect(waiting('sub_1.pay-1')).toEqual(inBacklog);
    expect([keys.get('sub_1.pay-1'), posts.length]).toEqual(before);
    expect(faults.map(String)).toEqual(['Error: cannot be read']);
  },
);

test('an ordering key that cannot be read has its own records dead-lettered, with the reason and unsent', async () => {
  const { run, of, posts, deadRecords } = world({ faults: [['sub_1.a', new Error('cannot be read')]] });
  const batch = [
    event('a', { payment_id: 'a' }),
    event('b', { payment_id: 'b' }),
    signalled('resume', { payment_id: 'a' }),
  ];
  expect(await run(...batch)).toEqual([]);
  expect(deadRecords).toEqual([
    { record: batch[0], reason: 'key_unreadable', explanation: 'cannot be read' },
    { record: batch[2], reason: 'key_unreadable', explanation: 'cannot be read' },
  ]);
  expect(posts).toHaveLength(1);
  expect(of('b')).toMatchObject({ state: 'succeeded' });
});

test('an ordering key of a newer format version brings back its own records, and no others', async () => {
  const { run, deadRecords, of } = world({ faults: [['sub_1.a', new NewerFormatError('of version 2')]] });
  const again = await run(event('a', { payment_id: 'a' }), event('b', { payment_id: 'b' }));
  expect(again).toEqual(['record of a']);
  expect(deadRecords).toEqual([]);
  expect(of('b')).toMatchObject({ state: 'succeeded' });
});

describe('a message without a secret to sign with', () => {
  async function withoutSecrets() {
    const made = world();
    const lookUp = made.ports.lookUp;
    made.ports.lookUp = async (wanted) => ({ ...(await lookUp(wanted)), secrets: new Map() });
    await made.run(event('a1'), event('a2'));
    const mend = () => {
      made.ports.lookUp = lookUp;
    };
    return { ...made, mend };
  }

  test('is not sent unsigned, and is not received again by itself', async () => {
    const { run, posts, keys } = await withoutSecrets();
    await run(signalled('resume'), signalled('drain'));
    expect(posts).toEqual([]);
    expect(keys.get('sub_1.pay-1')?.state).toBe('stuck');
  });

  test('continues in order when an operator releases its ordering key', async () => {
    const { run, mend, log, keys } = await withoutSecrets();
    mend();
    await run(signalled('release'));
    expect(log.filter((backlog) => backlog.startsWith('post'))).toEqual(['post a1', 'post a2']);
    expect(keys.size).toBe(0);
  });

  test('waits for the operator again when nothing was fixed', async () => {
    const { run, keys, log } = await withoutSecrets();
    await run(signalled('release'));
    expect(keys.get('sub_1.pay-1')?.state).toBe('stuck');
    expect(log.filter((backlog) => backlog.startsWith('stuck'))).toHaveLength(2);
  });

  test('is due when there was no time for it after its release', async () => {
    const { run, mend, pass, ports, signals, of } = await withoutSecrets();
    mend();
    const { waitingIn } = ports;
    ports.waitingIn = async (key) => {
      pass(50_000);
      return waitingIn(key);
    };
    await run(signalled('release'));
    expect(signals).toMatchObject([{ signal_kind: 'resume' }]);
    ports.waitingIn = waitingIn;
    await run(signalled('resume'));
    expect(of('a2')).toMatchObject({ state: 'succeeded' });
  });

  test('is given up when an operator skips it; the one behind it continues', async () => {
    const { run, mend, of, keys } = await withoutSecrets();
    mend();
    await run(signalled('skip'));
    expect(of('a1')).toMatchObject({ state: 'cancelled', state_reason: 'skipped' });
    expect(of('a2')).toMatchObject({ state: 'succeeded' });
    expect(keys.size).toBe(0);
  });
});

test('a message whose secret cannot sign waits for an operator, and says nothing of the secret', async () => {
  const { run, ports, keys, posts } = world();
  const { lookUp } = ports;
  ports.lookUp = async (wanted) => ({
    ...(await lookUp(wanted)),
    secrets: new Map([['sub_1', keptSecrets({ secret: 'whsec_nonsense' })]]),
  });
  expect(await run(event('a1'))).toEqual([]);
  expect(posts).toEqual([]);
  expect(keys.get('sub_1.pay-1')).toMatchObject({
    state: 'stuck',
    explanation: 'a secret is not whsec_ and the base64 of 24 to 64 bytes',
  });
});

test('releasing the ordering keys of a subscription posts nothing with what is still unreadable', async () => {
  const { run, posts } = world({
    faults: [['sub_1', new Error('cannot be read')]],
    subscriptions: [subscription()],
  });
  await run(event('a1'));
  await run(signalled('release'));
  expect(posts).toEqual([]);
});

test('what is skipped while its subscription cannot be read was skipped, not deleted with it; the one behind it stays', async () => {
  const { run, of, keys } = world({ faults: [['sub_1', new Error('cannot be read')]], subscriptions: [] });
  await run(event('a1'), event('a2'));
  await run(signalled('skip'));
  expect(of('a1')).toMatchObject({ state: 'cancelled', state_reason: 'skipped' });
  expect(of('a2')).not.toHaveProperty('ended_at');
  expect(keys.get('sub_1.pay-1')?.state).toBe('stuck');
});

test('a subscription that was deleted while it was read is not missed a secret: what waits is cancelled', async () => {
  const { run, ports, subscriptions, of, keys } = world();
  const lookUp = ports.lookUp;
  ports.lookUp = async (wanted) => {
    const found = { ...(await lookUp(wanted)), secrets: new Map() };
    subscriptions.delete('sub_1');
    return found;
  };
  expect(await run(event('a1'))).toEqual([]);
  expect(of('a1')).toMatchObject({ state: 'cancelled', state_reason: 'deleted' });
  expect(keys.size).toBe(0);
});

test('what waits for an operator is cancelled with its subscription', async () => {
  const { run, ports, subscriptions, of, keys } = world();
  const lookUp = ports.lookUp;
  ports.lookUp = async (wanted) => ({ ...(await lookUp(wanted)), secrets: new Map() });
  await run(event('a1'), event('a2'));
  expect(keys.get('sub_1.pay-1')?.state).toBe('stuck');
  subscriptions.set('sub_1', subscription({ state: 'deleted' }));
  expect(await run(signalled('resume'))).toEqual([]);
  expect([of('a1')?.state_reason, of('a2')?.state_reason]).toEqual(['deleted', 'deleted']);
  expect(keys.size).toBe(0);
});

test('a message whose failure cannot be stored is dead-lettered, attempted once and sent once, and its neighbours continue', async () => {
  let tries = 0;
  const { run, deadRecords, posts, of, keys } = world({
    answer: (id) => (id === 'b' ? OK : BUSY),
    commit: async ({ orderingKey }) => {
      if (orderingKey !== 'sub_1.a') return undefined;
      tries += 1;
      throw new RefusedError('Item size has exceeded the maximum allowed size');
    },
  });
  const batch = [event('a', { payment_id: 'a' }), event('b', { payment_id: 'b' })];
  expect(await run(...batch)).toEqual([]);
  expect([tries, posts.length]).toEqual([1, 2]);
  expect(deadRecords).toEqual([
    {
      record: batch[0],
      reason: 'unstorable',
      explanation: 'Item size has exceeded the maximum allowed size',
    },
  ]);
  expect(keys.size).toBe(0);
  expect(of('b')).toMatchObject({ state: 'succeeded' });
});
