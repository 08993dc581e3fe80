import { ifNear } from '../../../../functions/core/signal/due.ts';
import { gapSignal } from '../../../../functions/core/signal/gap-signal.ts';
import { TEN_O_CLOCK_MS } from '../../../support/builders.ts';

const timer = gapSignal({ service_id: 'bakery', payment_id: 'pay-1', group: 'shard-01' });
const dueIn = (ms: number) => ({ timer, dueAtMs: TEN_O_CLOCK_MS + ms });
const POLICY = { longestTimerMs: 900_000 };

test('a timer that is due within the longest delay of SQS is sent', () => {
  expect(ifNear(dueIn(900_000), TEN_O_CLOCK_MS, POLICY)).toEqual([dueIn(900_000)]);
});

test('one that is due later is not: sweep sends it in time', () => {
  expect(ifNear(dueIn(900_001), TEN_O_CLOCK_MS, POLICY)).toEqual([]);
});
