import { keptSecretsSchema } from '../../../../functions/core/attempt/signing-keys.ts';
import { isUsable, readPaymentEvent } from '../../../../functions/core/event/event.ts';
import { type SyntheticEvent, syntheticTypeOf } from '../../../../functions/core/event/synthetic-event.ts';
import type { Subscription } from '../../../../functions/core/subscription/subscription.ts';
import { type DoctorPorts, examine } from '../../../../functions/monitor/doctor/doctor.ts';
import { type Course, type Seen, whereabouts } from '../../../../functions/monitor/doctor/follow.ts';
import { SCHEDULED_SUBSCRIPTION } from '../../../../functions/monitor/doctor/own-subscription.ts';
import { GOV_UK_PAY } from '../../../support/gov-uk-pay.ts';

const START_MS = Date.parse('2026-11-22T10:00:00.000Z');

interface World {
  readonly ports: DoctorPorts;
  readonly put: SyntheticEvent[];
  readonly subscriptions: Subscription[];
  readonly secrets: unknown[];
}

/** A stage where the message is as `at` returns for the ms since the start. */
function world(at: (afterMs: number) => Partial<Seen> | undefined): World {
  const put: SyntheticEvent[] = [];
  const subscriptions: Subscription[] = [];
  const secrets: unknown[] = [];
  let nowMs = START_MS;
  const ports: DoctorPorts = {
    syntheticType: syntheticTypeOf(GOV_UK_PAY.types),
    registry: {
      find: async (_, id) => subscriptions.find(({ subscription_id }) => subscription_id === id),
      add: async (subscription, kept) => {
        subscriptions.push(subscription);
        secrets.push(kept);
        return 'added';
      },
      revise: async (before, decide) => {
        const decided = decide(before);
        if ('status' in decided) {
          return decided;
        }
        subscriptions[subscriptions.indexOf(before)] = decided.subscription;
        return { before, after: decided.subscription };
      },
    },
    callbackUrl: 'https://check-in.example/',
    put: async (event) => {
      put.push(event);
      nowMs += 20;
    },
    find: async () => {
      const seen = at(nowMs - START_MS);
      return seen && ({ message_id: 'msg_1', admitted_at: '2026-11-22T10:00:00.030Z', ...seen } as Seen);
    },
    nameRun: () => `run-${put.length + 1}`,
    now: () => nowMs,
    wait: async (ms) => {
      nowMs += ms;
    },
  };
  return { ports, put, subscriptions, secrets };
}

const delivered: Partial<Seen> = {
  state: 'succeeded',
  attempt_count: 1,
  last_attempt_at: '2026-11-22T10:00:00.100Z',
  last_status_code: 200,
};

test('a payment that arrives is reported with its steps', async () => {
  const { ports } = world((afterMs) => (afterMs < 600 ? undefined : delivered));

  const course = await examine(ports);

  expect(course).toMatchObject({
    hasArrived: true,
    tookMs: 1_020,
    steps: [
      { step: 'accepted by the bus', afterMs: 20 },
      { step: 'taken in by the queue', afterMs: 30 },
      { step: 'attempted', afterMs: 100 },
      { step: 'in the history', afterMs: 1_020 },
    ],
  });
  expect(whereabouts(course)).toBe('the receiver had the message 1.0 s after the event was put on the bus');
});

test.each<[string, Partial<Seen> | undefined, number, string]>([
  [
    'is lost',
    undefined,
    45_020,
    'the bus accepted the event, but 45.0 s later the history has no message of it',
  ],
  [
    'is refused by the endpoint',
    { ...delivered, state: 'retrying', last_status_code: 401 },
    20,
    'the message is retrying; its last attempt: 401',
  ],
  [
    'waits behind an open circuit until the deadline',
    { state: 'parked', state_reason: 'circuit_open', attempt_count: 0 },
    45_020,
    'the message is parked: circuit_open',
  ],
])('a payment that %s has not arrived', async (_, seen, tookMs, sentence) => {
  const { ports } = world(() => seen);

  const course: Course = await examine(ports);

  expect(course).toMatchObject({ hasArrived: false, tookMs });
  expect(whereabouts(course)).toBe(sentence);
});

test('each run has its own event, which match accepts', async () => {
  const { ports, put } = world(() => delivered);
  await examine(ports);
  await examine(ports);

  expect(put.map(({ payment_id }) => payment_id)).toEqual(['pay_run-1', 'pay_run-2']);
  for (const event of put) {
    const read = readPaymentEvent(event, GOV_UK_PAY);
    expect(isUsable(read) && read).toMatchObject({ public_type: 'card_payment_started', live: false });
  }
});

test('the subscription is created once, with its secret in a custom header', async () => {
  const { ports, subscriptions, secrets } = world(() => delivered);
  await examine(ports);
  await examine(ports);

  expect(subscriptions).toHaveLength(1);
  expect(subscriptions[0]).toMatchObject({
    subscription_id: SCHEDULED_SUBSCRIPTION,
    service_id: 'doctor-on-schedule',
    callback_url: 'https://check-in.example/',
    custom_header_names: ['doctor-secret'],
  });
  const kept = keptSecretsSchema.parse(secrets[0]);
  expect(Object.values(kept.secrets).map(({ secret }) => secret)).toEqual([
    kept.custom_headers?.['doctor-secret'],
  ]);
  expect(JSON.stringify(subscriptions)).not.toContain('whsec_');
});

test('the subscription follows its receiver to a new URL', async () => {
  const { ports, subscriptions, secrets } = world(() => delivered);
  await examine(ports);
  await examine({ ...ports, callbackUrl: 'https://check-in-anew.example/' });

  expect(subscriptions.map(({ callback_url }) => callback_url)).toEqual(['https://check-in-anew.example/']);
  expect(secrets).toHaveLength(1);
});
