import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ofType, type Resource, resourcesOf } from '../../../cli/operator/cost/ground.ts';
import type { Stage } from '../../../lib/app/stage.ts';
import { PROJECT } from '../../../lib/project-paths.ts';
import { STAGES } from '../../../payhooks.config.ts';
import { costTables, estimateWith, prodEstimate, together } from '../../support/documented/cost-tables.ts';
import { withLines } from '../../support/documented/tables.ts';

const DAY = 86_400;
const DAYS_IN_A_MONTH = 365 / 12;
const prod = resourcesOf(STAGES.prod);
const found = (eventsPerDay: number, resources: readonly Resource[] = prod) =>
  prodEstimate(resources)(eventsPerDay);

test.each(costTables(prodEstimate(prod)))(
  'the prices of $page are up to date; after a change: npx node test/support/documented/write-tables.ts',
  (table) => {
    const page = readFileSync(path.join(PROJECT, table.page), 'utf8');
    expect(page).toBe(withLines(page, table));
  },
);

test.each([
  ['dev', 1e6],
  ['prod', 10e6],
] as const)('the budget of %s is twice a month with %i webhooks, rounded up', (name, webhooks) => {
  const perDay = String(Math.round(webhooks / DAYS_IN_A_MONTH));
  const { total } = estimateWith(['--stage', name, '--events-per-day', perDay], (stage) =>
    name === 'prod' ? prod : resourcesOf(stage),
  );
  const { monthlyUsd } = STAGES[name].budget as NonNullable<Stage['budget']>;
  expect(monthlyUsd / together(total)).toBeGreaterThanOrEqual(2);
  expect(monthlyUsd / together(total)).toBeLessThan(2.1);
});

test('the estimate shrinks without an alarm, the dashboard, the doctor or tracing', () => {
  const idle = (resources: readonly Resource[]) => found(0, resources).total.idle;
  const whole = idle(prod);
  const without = (...types: string[]) => {
    const gone = new Set(types.map((type) => ofType(prod, type)[0]));
    return idle(prod.filter((resource) => !gone.has(resource)));
  };
  const [alarm] = ofType(prod, 'AWS::CloudWatch::Alarm').filter(
    ({ properties }) => !('Metrics' in properties),
  );
  expect(whole - idle(prod.filter((resource) => resource !== alarm))).toBeCloseTo(0.1, 6);
  expect(whole - without('AWS::CloudWatch::Dashboard')).toBeCloseTo(3, 6);
  expect(whole - idle(prod.filter(({ id }) => !id.startsWith('DoctorSchedule')))).toBeGreaterThan(0.9);
  const traced = (Mode: string) =>
    prod.map((one) => ({ ...one, properties: { ...one.properties, TracingConfig: { Mode } } }));
  expect(found(DAY).byService['X-Ray']?.traffic).toBe(0);
  expect(found(DAY, traced('Active')).byService['X-Ray']?.traffic).toBeGreaterThan(1);
  expect(idle(traced('PassThrough'))).toBeLessThan(whole);
});

test('every alarm, key, schedule, queue and table of prod is counted', () => {
  const used = (name: string) => found(0).idle.find((part) => part.name === name)?.used ?? {};
  expect(used('keys').keyMonth).toBe(ofType(prod, 'AWS::KMS::Key').length);
  const onQueries = ofType(prod, 'AWS::CloudWatch::Alarm').filter(({ properties }) =>
    JSON.stringify(properties.Metrics ?? '').includes('SELECT'),
  );
  expect(onQueries.length).toBeGreaterThan(0);
  expect(used('alarms').alarmMetricMonth).toBeGreaterThanOrEqual(
    ofType(prod, 'AWS::CloudWatch::Alarm').length - onQueries.length,
  );
  expect(used('schedules').scheduledRun).toBe(43_800 + 8_760);
  expect(used('empty receives')).toEqual({ fifoRequest: 2 * 657_000, standardRequest: 657_000 });
});
