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

test('a run does not wait for ended messages, nor for permanently refused ones on record', async () => {
  const waiting = ['a1', 'b1', 'c1', 'd1'].map((name) => expectedMessage(name));
  const messages = [
    summaryOf('a1', { state: 'exhausted' }),
    summaryOf('b1', { state: 'retrying', attempt_count: 2 }),
    summaryOf('c1', { state: 'parked', attempt_count: 0 }),
    summaryOf('d1', { state: 'retrying', attempt_count: 2 }),
  ];
  const count = { waiting: () => waiting } as unknown as DeliveryCount;
  const partner = { messages: async () => messages } as unknown as Partner;
  const isRefused = ({ paymentId }: { readonly paymentId: string }) => paymentId !== 'd';
  expect(await endedAmongWaiting(count, [partner], isRefused)).toBe(2);
});

test('only a recovery scenario has recovery figures for each group', async () => {
  const { scenario, groups } = await planned('random-failures');
  const sendLog = { sent: [], unsure: [], changed: [], stops: 0, stoppedMs: 0, firstSentAtMs: START_MS };
  const facts = await gatherFacts([], [expectedMessage('a1', { group: 'failing' })]);
  const circuits = new Map([['failing', { states: { open: 1 }, opened: 3 }]]);
  const all = { name: 'all', place: {} };
  const options = scenario.recovery ?? { targets: [] };
  const told = judgeCell(all, facts, groups, sendLog, {
    isInterrupted: false,
    recovery: { options, circuits },
  });
  expect(told.groups.map(({ name, recovery }) => [name, recovery?.opened, recovery?.targets])).toEqual([
    ['well', 0, []],
    ['failing', 3, ['time_to_send', 'stays_closed']],
  ]);
  const untold = judgeCell(all, facts, groups, sendLog, { isInterrupted: false });
  expect(untold.groups.map(({ recovery }) => recovery)).toEqual([undefined, undefined]);
});
