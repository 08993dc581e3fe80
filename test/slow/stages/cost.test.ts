import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type CostOptions, estimated } from '../../../cli/operator/cost/cost-command.ts';
import { money } from '../../../cli/operator/cost/cost-report.ts';
import type { Estimate, Share } from '../../../cli/operator/cost/estimate.ts';
import { readSimulated } from '../../../cli/operator/cost/measured/batch-sizes.ts';
import { readMeasured } from '../../../cli/operator/cost/measured/measured.ts';
import { onInstances } from '../../../cli/operator/cost/parts/compute.ts';
import { ofType, type Resource, resourcesOf } from '../../../cli/operator/cost/template.ts';
import { PRICES_BY_REGION, USUAL_REGION } from '../../../lib/prices.ts';
import type { Stage } from '../../../lib/stage.ts';
import { STAGES } from '../../../lib/stages.ts';
import { givenToOps } from '../../support/operator-run.ts';

const PROJECT = path.join(import.meta.dirname, '../../..');
const text = (name: string) => readFileSync(path.join(PROJECT, name), 'utf8');
const prod = resourcesOf(STAGES.prod);

const prodOnInstances = resourcesOf(onInstances(STAGES.prod));

function run(args: readonly string[], resources: (stage: Stage) => readonly Resource[]): Estimate {
  const given = givenToOps<CostOptions>('cost', ...args);
  return estimated(given, (stage) => [...resources(stage)]);
}

function found(eventsPerDay: number, resources: readonly Resource[] = prod): Estimate {
  return run(['--events-per-day', String(eventsPerDay)], () => resources);
}

function beside(eventsPerDay: number, ...more: readonly string[]): Estimate {
  return run(
    ['--compute', 'managed-instances', '--events-per-day', String(eventsPerDay), ...more],
    ({ compute }) => (compute === 'managed-instances' ? prodOnInstances : prod),
  );
}

const DAY = 86_400;
const DAYS_IN_A_MONTH = 365 / 12;
const EVENTS_PER_DAY = {
  idle: 0,
  'one a second': DAY,
  '10 million a month': Math.round(10e6 / DAYS_IN_A_MONTH),
  '100 a second': 100 * DAY,
  '1,000 a second': 1_000 * DAY,
};
const estimates = Object.entries(EVENTS_PER_DAY).map(([name, perDay]) => ({ name, ...found(perDay) }));
/** The README omits one of these rates, because the page itself answers for 10 million. */
const inReadme = estimates.filter(({ name }) => name !== '10 million a month');
const together = ({ idle, traffic }: Share) => idle + traffic;
const dollars = (amount: number) =>
  `$${amount < 1_000 ? money(amount) : Math.round(amount).toLocaleString('en')}`;

/** The expected texts that a page lacks. */
const missing = (page: string, lines: readonly string[]) =>
  lines.filter((line) => !text(page).includes(line));

test('the page says what a month costs at each rate, and what alternatives would cost', () => {
  const rows = estimates.map(({ name, webhooksPerMonth, total, perMillion, batches, peers }) =>
    [
      '',
      name,
      (webhooksPerMonth / 1e6).toFixed(1),
      perMillion === undefined ? '' : `${batches.match.toFixed(1)}, ${batches.deliver.toFixed(1)}`,
      `**${dollars(together(total))}**`,
      perMillion === undefined ? '' : dollars(together(perMillion)),
      ...(peers.length === 0 ? ['', ''] : peers.map(({ perMonth }) => dollars(perMonth))),
      '',
    ]
      .join(' | ')
      .trim(),
  );
  expect(missing('docs/cost.md', rows)).toEqual([]);
});

test.each([
  ['dev', 1e6],
  ['prod', 10e6],
] as const)('the budget of %s is twice a month with %i webhooks, rounded up', (name, webhooks) => {
  const perDay = String(Math.round(webhooks / DAYS_IN_A_MONTH));
  const { total } = run(['--stage', name, '--events-per-day', perDay], (stage) =>
    name === 'prod' ? prod : resourcesOf(stage),
  );
  const { monthlyUsd } = STAGES[name].budget as NonNullable<Stage['budget']>;
  expect(monthlyUsd / together(total)).toBeGreaterThanOrEqual(2);
  expect(monthlyUsd / together(total)).toBeLessThan(2.1);
});

test('the page breaks the cost down by AWS service', () => {
  const services = Object.keys(estimates[0]!.byService);
  const rows = services
    .filter((service) => estimates.some(({ byService }) => together(byService[service]!) >= 0.005))
    .map(
      (service) =>
        `| ${[service, ...estimates.map(({ byService }) => dollars(together(byService[service]!)))].join(' | ')} |`,
    );
  expect(missing('docs/cost.md', rows)).toEqual([]);
});

test('the page says what an idle stage costs', () => {
  const rows = estimates[0]!.idle
    .filter(({ perMonth }) => perMonth >= 0.005)
    .map(({ name, perMonth }) => `| ${name} | ${dollars(perMonth)} |`);
  expect(missing('docs/cost.md', rows)).toEqual([]);
});

test('the page says what managed instances cost at each rate, and from when on they are cheaper', () => {
  const rows = Object.entries(EVENTS_PER_DAY).map(([name, perDay]) => {
    const { instances, total, onLambda } = beside(perDay);
    return `| ${name} | ${instances} | ${dollars(together(total))} | ${dollars(onLambda!.perMonth)} |`;
  });
  const from = ({ onLambda }: Estimate) => ({
    millions: Math.round((onLambda!.instancesWin?.from.webhooksPerMonth ?? 0) / 1e6),
    perSecond: Math.round(onLambda!.instancesWin?.from.eventsPerSecond ?? 0),
  });
  const [usual, slow] = [from(beside(DAY)), from(beside(DAY, '--partner-ms', '1000'))];
  const quick = beside(DAY, '--partner-ms', '100').onLambda?.instancesWin?.from.eventsPerSecond;
  expect(quick ?? Number.POSITIVE_INFINITY).toBeGreaterThan(1_000);
  const idle = beside(0).idle.filter(({ name }) => ['instances', 'NAT gateways'].includes(name));
  const [instances, nat] = idle.map(({ perMonth }) => dollars(perMonth));
  expect(
    missing('docs/cost.md', [
      ...rows,
      `**from ${usual.millions} million webhooks a month on, ${usual.perSecond} events a second**`,
      `from ${slow.millions} million, ${slow.perSecond} a second`,
      `${instances} for instances and ${nat} for the two NAT gateways`,
      `$${PRICES_BY_REGION[USUAL_REGION].instanceHour} an hour`,
    ]),
  ).toEqual([]);
  const more = Math.round(together(beside(0).total) - together(found(0).total));
  expect(missing('docs/deploying.md', [`from $${more} a month, untried`])).toEqual([]);
});

test('the page says where its figures are from', () => {
  const { on, machine } = readMeasured();
  const [{ region, pricesAsOf, unchecked }] = [estimates.at(-1)!];
  expect(
    missing('docs/cost.md', [
      `${region}, list prices of ${pricesAsOf}`,
      on,
      machine,
      readSimulated().on,
      `The HTTP API: $${(PRICES_BY_REGION[USUAL_REGION].httpRequest * 1e6).toFixed(2)} for a million requests`,
      unchecked.map((name) => `\`${name}\``).join(', '),
    ]),
  ).toEqual([]);
});

/** What an idle month of prod costs more than without something. */
function added(without: Stage, of = ({ total }: Estimate) => total.idle): number {
  const idle = (stage: Stage) =>
    of(run(['--events-per-day', '0', '--region', 'us-east-1'], () => resourcesOf(stage)));
  return idle(STAGES.prod) - idle(without);
}

test('other pages say what a scheduled doctor and a key add', () => {
  const { doctorEvery: _, ...unscheduled } = STAGES.prod;
  const doctor = `Every five minutes costs **${dollars(added(unscheduled))}** a month (list prices, us-east-1)`;
  expect(missing('docs/doctor.md', [doctor])).toEqual([]);
  const ofKeys = ({ byService }: Estimate) => byService.KMS?.idle ?? 0;
  const requests = added({ ...STAGES.prod, customerManagedKey: false }, ofKeys) - 1;
  expect(missing('docs/security.md', [`and ${dollars(requests)} for requests`])).toEqual([]);
});

test('the README agrees, and compares the price of a million webhooks', () => {
  const total = inReadme.map(({ total }) => dollars(together(total)));
  const million = inReadme.map(({ perMillion }) => (perMillion ? dollars(together(perMillion)) : ''));
  const { peers, webhooksPerMonth, perMillion } = estimates.find(({ name }) => name === '100 a second')!;
  const [destinations, svix] = peers.map(({ perMonth }) => dollars((perMonth / webhooksPerMonth) * 1e6));
  expect(
    missing('README.md', [
      `| a month | ${total.join(' | ')} |`,
      `| a million webhooks | ${million.join(' | ')} |`,
      `| ${dollars(together(perMillion!))} | ${svix} hosted; software free | software free | **${destinations}** |`,
    ]),
  ).toEqual([]);
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
  const used = (name: string) => estimates[0]!.idle.find((part) => part.name === name)?.used ?? {};
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
