import { type CostOptions, estimated } from '../../../../../../cli/operator/cost/cost-command.ts';
import { readMeasured } from '../../../../../../cli/operator/cost/measured/measured.ts';
import { idling } from '../../../../../../cli/operator/cost/parts/idle.ts';
import { batchesWithPollers, polledFor } from '../../../../../../cli/operator/cost/parts/pollers.ts';
import { standingOf } from '../../../../../../cli/operator/cost/parts/schedules.ts';
import { STAGES } from '../../../../../../payhooks.config.ts';
import { givenToOps } from '../../../../../support/operator-run.ts';
import { lambda, resource } from '../stage.ts';

const ALONE = { match: 1, deliver: 1 };
const traffic = (perSecond: number, subscriptions = 1) => ({
  eventsPerDay: 86_400 * perSecond,
  subscriptions,
  partners: 100,
  partnerMs: 200,
  bodyBytes: 1_024,
  failedShare: 0,
});
const batches = (perSecond: number, workers: 'match' | 'both', subscriptions = 1) => {
  const some = traffic(perSecond, subscriptions);
  return batchesWithPollers(ALONE, polledFor(STAGES.prod, workers, some), some);
};

test.each([
  // As simulated on 2026-11-27: docs/adr/0023.
  [10, 1.1, 1.1],
  [25, 1.5, 1.5],
  [100, 5, 5.2],
  [1_000, 6.6, 6.3],
])('at %i a second, batches are at most about as large as simulated', (perSecond, match, deliver) => {
  const modelled = batches(perSecond, 'both');
  for (const [size, simulated] of [
    [modelled.match, match],
    [modelled.deliver, deliver],
  ] as const) {
    expect(size).toBeLessThanOrEqual(simulated);
    expect(size).toBeGreaterThan(0.8 * simulated);
  }
});

test('those of deliver grow with the subscriptions, and stay as they are where Lambda’s own pollers read', () => {
  expect(batches(100, 'both', 3).deliver).toBeCloseTo(300 / 50, 6);
  expect(batches(100, 'match').deliver).toBe(1);
});

test('never are they smaller than without pollers, or larger than SQS gives', () => {
  expect(batchesWithPollers({ match: 9, deliver: 9 }, STAGES.prod, traffic(1))).toEqual({
    match: 9,
    deliver: 9,
  });
  const busier = traffic(10_000);
  expect(batchesWithPollers(ALONE, polledFor(STAGES.prod, 'both', traffic(100)), busier)).toEqual({
    match: 10,
    deliver: 10,
  });
});

const mapping = (id: string, source: string, MinimumPollers?: number) =>
  resource(id, 'Lambda::EventSourceMapping', {
    EventSourceArn: { 'Fn::GetAtt': [source, 'Arn'] },
    ...(MinimumPollers === undefined ? {} : { ProvisionedPollerConfig: { MinimumPollers } }),
  });

test('pollers are paid by the hour, and wait at their queue like others', () => {
  const parts = idling(
    standingOf(
      [
        resource('Events1', 'SQS::Queue', { FifoQueue: true }),
        resource('Timers1', 'SQS::Queue'),
        mapping('Match', 'Events1', 4),
        mapping('Wake', 'Timers1'),
      ],
      readMeasured(),
    ),
  );
  expect(parts.pollers).toEqual({ pollerHour: 4 * 730 });
  const each = parts['empty receives']!.standardRequest! / 5;
  expect(parts['empty receives']?.fifoRequest).toBeCloseTo(4 * each, 6);
});

test('the command has its stage’s template made with the pollers that it is asked about', () => {
  const asked = (...args: string[]) => {
    let pollers: unknown;
    const { total } = estimated(givenToOps<CostOptions>('cost', ...args), (stage) => {
      pollers = stage.pollers;
      return ['match', 'deliver', 'statistics'].map((name) => lambda(name));
    });
    return { pollers, traffic: total.traffic };
  };
  const busy = ['--events-per-day', String(100 * 86_400)];
  const both = asked(...busy, '--pollers', 'both');
  expect(both.pollers).toEqual({ eventsPerSecond: 100, webhooksPerSecond: 100 });
  expect(asked(...busy).pollers).toBeUndefined();
  const ofMatch = asked(...busy, '--pollers', 'match');
  expect(ofMatch.pollers).toEqual({ eventsPerSecond: 100 });
  expect(both.traffic).toBeLessThan(ofMatch.traffic);
  expect(ofMatch.traffic).toBeLessThan(asked(...busy).traffic);
  expect(asked('--events-per-day', '0', '--pollers', 'both').pollers).toEqual({
    eventsPerSecond: 1,
    webhooksPerSecond: 1,
  });
});
