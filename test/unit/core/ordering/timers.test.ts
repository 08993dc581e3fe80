import { CLOSED } from '../../../../functions/core/circuit/circuit.ts';
import { keyTimer, timerOfCircuit } from '../../../../functions/core/ordering/timers.ts';
import { TEN_O_CLOCK_MS } from '../../../support/builders.ts';

const POLICY = { longestTimerMs: 900_000 };
const NAME = { service_id: 'svc_1', subscription_id: 'sub_1', payment_id: 'pay-1' };

test('a blocked ordering key waits for its signal', () => {
  expect(keyTimer(NAME)).toEqual({ v: 1, kind: 'signal', ...NAME, signal_kind: 'resume' });
});

describe('the timer of a circuit', () => {
  const { service_id, subscription_id } = NAME;
  const pending = { ...CLOSED, generation: 3, timer_at: '2026-11-14T10:00:01.000Z' };
  const timers = (generation: number, timer_at: string | undefined) =>
    timerOfCircuit(
      NAME,
      pending,
      { ...CLOSED, generation, ...(timer_at && { timer_at }) },
      TEN_O_CLOCK_MS,
      POLICY,
    );

  test('is sent when the circuit has a new generation', () => {
    expect(timers(4, '2026-11-14T10:00:05.000Z')).toEqual([
      {
        timer: { v: 1, kind: 'circuit', service_id, subscription_id, generation: 4 },
        dueAtMs: TEN_O_CLOCK_MS + 5_000,
      },
    ]);
  });

  test.each([
    ['the pending one stays', 3, '2026-11-14T10:00:01.000Z'],
    ['the circuit needs none', 4, undefined],
    ['it is due later than SQS can delay it', 4, '2026-11-14T10:15:00.001Z'],
  ])('is not sent when %s', (_, generation, timer_at) => {
    expect(timers(generation, timer_at)).toEqual([]);
  });
});
