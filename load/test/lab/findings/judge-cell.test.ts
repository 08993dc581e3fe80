import { at, summaryOf } from '../../../../test/support/message-summaries.ts';
import type { DeliveryCount } from '../../../lab/findings/delivery-count.ts';
import { gatherFacts } from '../../../lab/findings/gather-facts.ts';
import { endedAmongWaiting, judgeCell } from '../../../lab/findings/judge-cell.ts';
import type { Partner } from '../../../lab/partners/partner.ts';
import { expectedMessage } from '../../builders.ts';
import { planned } from '../scenario/planned.ts';

const START_MS = Date.parse(at(0));

test('findings have the periods of the changes that took effect', async () => {
  const { groups } = await planned('outage-recovery');
  const outage = groups[1]?.changes[0];
  const sendLog = {
    sent: [],
    unsure: [],
    changed: [{ group: 'failing', change: outage ?? {}, atMs: START_MS + 40_300 }],
    stops: 0,
    stoppedMs: 0,
    firstSentAtMs: START_MS,
    lastSentAtMs: START_MS + 60_000,
  };
  const findings = judgeCell({ name: 'all', place: {} }, await gatherFacts([], []), groups, sendLog, {
    isInterrupted: true,
    baseline: 30,
  });
  expect(findings.periods).toEqual([
    { what: 'baseline', from_seconds: 0, to_seconds: 30 },
    { group: 'failing', what: 'answers 503', from_seconds: 40.3, to_seconds: 60 },
  ]);
});

test('a run does not wait for ended messages', async () => {
  const waiting = ['a1', 'b1', 'c1'].map((name) => expectedMessage(name));
  const messages = [
    summaryOf('a1', { state: 'exhausted' }),
    summaryOf('b1', { state: 'cancelled' }),
    summaryOf('c1', { state: 'retrying', attempt_count: 2 }),
  ];
  const count = { waiting: () => waiting } as unknown as DeliveryCount;
  const partner = { messages: async () => messages } as unknown as Partner;
  expect(await endedAmongWaiting(count, [partner])).toBe(2);
});
