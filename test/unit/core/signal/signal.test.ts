import { ifNear } from '../../../../functions/core/signal/due.ts';
import { gapSignal } from '../../../../functions/core/signal/gap-signal.ts';
import { SIGNAL_KINDS, signal, signalSchema } from '../../../../functions/core/signal/signal.ts';
import { timerSchema } from '../../../../functions/core/signal/timer.ts';
import { TEN_O_CLOCK_MS } from '../../../support/builders.ts';

const name = { service_id: 'bakery', subscription_id: 'sub_1', payment_id: 'pay-1' };

test.each(SIGNAL_KINDS)(
  'a signal names an ordering key and asks for %s, and carries no state',
  (signalKind) => {
    const key = { ...name, revision: 7, state: 'waiting' };
    expect(signal(key, signalKind)).toEqual({ v: 1, ...name, signal_kind: signalKind });
    expect(signalSchema.parse(signal(key, signalKind))).toEqual({ v: 1, ...name, signal_kind: signalKind });
  },
);

test('a timer is a signal, a circuit timer, a step of a recovery, or a gap signal', () => {
  const signalled = { kind: 'signal', ...signal(name, 'resume') };
  const generation = { v: 1, kind: 'circuit', service_id: 'bakery', subscription_id: 'sub_1', generation: 3 };
  expect(timerSchema.parse(signalled)).toEqual(signalled);
  expect(timerSchema.parse(generation)).toEqual(generation);
  const { generation: _, ...subscription } = generation;
  const step = { ...subscription, kind: 'recovery', recovery_id: 'rec_1', step: 3 };
  expect(timerSchema.parse(step)).toEqual(step);
  const gap = { v: 1, kind: 'gap', service_id: 'bakery', payment_id: 'pay-1', group: 'shard-01' };
  expect(timerSchema.parse(gap)).toEqual(gap);
});

test.each([
  ['of a later format', { kind: 'signal', ...signal(name, 'resume'), v: 2 }],
  ['of a signal kind that nobody knows', { kind: 'signal', ...signal(name, 'resume'), signal_kind: 'hurry' }],
  ['without a payment', { kind: 'signal', ...signal(name, 'resume'), payment_id: undefined }],
  ['without a number', { v: 1, kind: 'circuit', service_id: 'bakery', subscription_id: 'sub_1' }],
  ['of a gap without a group', { v: 1, kind: 'gap', service_id: 'bakery', payment_id: 'pay-1' }],
  ['of no kind', signal(name, 'resume')],
])('a timer %s is none of ours', (_, timer) => {
  expect(timerSchema.safeParse(timer).success).toBe(false);
});

const timer = gapSignal({ service_id: 'bakery', payment_id: 'pay-1', group: 'shard-01' });
const dueIn = (ms: number) => ({ timer, dueAtMs: TEN_O_CLOCK_MS + ms });
const POLICY = { longestTimerMs: 900_000 };

test('a timer that is due within the longest delay of SQS is sent', () => {
  expect(ifNear(dueIn(900_000), TEN_O_CLOCK_MS, POLICY)).toEqual([dueIn(900_000)]);
});

test('one that is due later is not: sweep sends it in time', () => {
  expect(ifNear(dueIn(900_001), TEN_O_CLOCK_MS, POLICY)).toEqual([]);
});
