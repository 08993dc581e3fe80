import { type CostOptions, estimated } from '../../../../../cli/operator/cost/cost-command.ts';
import { costReport } from '../../../../../cli/operator/cost/cost-report.ts';
import { batchesAt } from '../../../../../cli/operator/cost/measured/batch-sizes.ts';
import { READ_UNIT_USD, RETRY_USD } from '../../../../../functions/core/analysis/list-prices.ts';
import { PRICES_BY_REGION } from '../../../../../lib/prices.ts';
import { givenToOps } from '../../../../support/operator-run.ts';
import { lambda, resource, scheduled } from './stage.ts';

const RESOURCES = [
  ...scheduled(lambda('sweep'), 'rate(1 minute)'),
  lambda('match'),
  lambda('deliver', { tracing: 'Active' }),
  lambda('statistics'),
  resource('Alarm', 'CloudWatch::Alarm', { MetricName: 'Errors' }),
];

function found(...args: string[]) {
  return estimated(givenToOps<CostOptions>('cost', ...args), () => RESOURCES);
}

test('a month is told by service, idle and for the traffic, with region and date of the prices', () => {
  const text = costReport(
    found('--events-per-day', '300000', '--subscriptions', '3', '--region', 'eu-west-1'),
  );
  expect(text).toContain('Payhooks, stage prod, eu-west-1, list prices of 2026-10');
  expect(text).toContain('300,000 events a day (3.5 a second), 3 webhooks each: 27.38 million a month');
  expect(text).toMatch(/^ {2}US dollars a month +idle +traffic +together$/m);
  expect(text).toMatch(/^ {2}CloudWatch metrics, alarms, dashboard +0\.40 +0\.00 +0\.40$/m);
  expect(text).toMatch(/^ {2}EventBridge API destinations +\$[\d.,]+ +https:/m);
  expect(text).toMatch(/^Not checked against a price list of eu-west-1: customEvent, /m);
});

test('a million is priced by what reads the queues, and by how events come: without the bus it is a dollar less', () => {
  const { ways, perMillion } = found('--events-per-day', String(100 * 86_400));
  const cents = (dollars: number) => Math.round(100 * dollars);
  expect(ways.map(({ name }) => name)).toEqual([
    'Lambda’s pollers',
    'provisioned for match',
    'for match and deliver',
  ]);
  expect(ways[0]?.byBus).toBeCloseTo(perMillion!.idle + perMillion!.traffic, 6);
  expect(ways.map(({ byBus, byQueue }) => cents(byBus - byQueue))).toEqual([100, 100, 100]);
  expect(ways.map(({ batches }) => batches.deliver)).toEqual([1, 1, 5]);
  const [lambda, ofMatch, both] = ways.map(({ byBus }) => byBus);
  expect(ofMatch).toBeLessThan(lambda!);
  expect(both).toBeLessThan(ofMatch!);
  const text = costReport(found('--events-per-day', String(100 * 86_400)));
  expect(text).toMatch(/^ {2}A million webhooks, events sent +to the bus +into the queue/m);
  expect(text).toMatch(/^ {2}for match and deliver +\$[\d.]+ +\$[\d.]+ +5\.0, 5\.0$/m);
});

test('with --notices it is reckoned what a stage costs that sends them', () => {
  const stageFor = (...args: string[]) => {
    let notices: unknown;
    estimated(givenToOps<CostOptions>('cost', ...args), (stage) => {
      ({ notices } = stage);
      return RESOURCES;
    });
    return notices;
  };
  expect([stageFor(), stageFor('--notices')]).toEqual([undefined, { sender: 'webhooks@example.com' }]);
});

test('analysts are told the prices of this model', () => {
  const traffic = ['--events-per-day', String(100 * 86_400), '--region', 'us-east-1'];
  const costOf = (share: string) => {
    const { total, webhooksPerMonth } = found(...traffic, '--failed-share', share);
    return total.traffic / webhooksPerMonth;
  };
  const retry = (costOf('0.01') - costOf('0')) / 0.01;
  // The functions of this stage are larger than those of ours.
  expect(RETRY_USD / retry).toBeGreaterThan(0.8);
  expect(RETRY_USD / retry).toBeLessThan(1.05);
  expect(READ_UNIT_USD).toBe(PRICES_BY_REGION['us-east-1'].readUnit);
});

test('services add up to the whole, and so do its parts', () => {
  const { byService, total, idle, delivering, perMillion, webhooksPerMonth } = found();
  const sum = (numbers: number[]) => numbers.reduce((all, one) => all + one, 0);
  const services = Object.values(byService);
  expect(sum(services.map((one) => one.traffic))).toBeCloseTo(total.traffic, 6);
  expect(sum(delivering.map((one) => one.perMonth))).toBeCloseTo(total.traffic, 6);
  expect(sum(idle.map((one) => one.perMonth))).toBeCloseTo(total.idle, 6);
  expect(((perMillion?.traffic ?? 0) * webhooksPerMonth) / 1e6).toBeCloseTo(total.traffic, 6);
});

test('without events there is what the stage costs anyway, and nobody to compare with', () => {
  const text = costReport(found('--events-per-day', '0'));
  expect(text).toContain('Nobody publishes anything');
  expect(text).not.toMatch(/A million webhooks|others|into the queue/);
  expect(found('--events-per-day', '0').total.traffic).toBe(0);
});

test('what drives a price raises it', () => {
  const total = (...args: string[]) => found(...args).total.traffic;
  const usual = total();
  for (const args of [
    ['--events-per-day', '100000'],
    ['--subscriptions', '2'],
    ['--partner-ms', '2000'],
    ['--body-bytes', '8192'],
    ['--failed-share', '0.1'],
    ['--region', 'eu-west-2'],
  ]) {
    expect(total(...args)).toBeGreaterThan(usual);
  }
  expect(total('--region', 'us-east-1')).toBeLessThan(usual);
});

const simulated = {
  command: '',
  on: '',
  batches: [
    { eventsPerSecond: 1, subscriptions: 1, match: 1, deliver: 1 },
    { eventsPerSecond: 100, subscriptions: 1, match: 2, deliver: 3 },
    { eventsPerSecond: 1, subscriptions: 10, match: 1, deliver: 5 },
    { eventsPerSecond: 100, subscriptions: 10, match: 2, deliver: 7 },
  ],
};

test('between two rates and two numbers of subscriptions it is between, by their logarithms', () => {
  expect(batchesAt(simulated, 10, 1)).toEqual({ match: 1.5, deliver: 2 });
  expect(batchesAt(simulated, 10, Math.sqrt(10)).deliver).toBeCloseTo(4);
});

test('beyond what was simulated it is as at its edge', () => {
  expect(batchesAt(simulated, 0.01, 1)).toEqual({ match: 1, deliver: 1 });
  expect(batchesAt(simulated, 5_000, 100)).toEqual({ match: 2, deliver: 7 });
});
