import { propertiesOf, synthesized } from '../../support/templates/synthesized.ts';

// What goes off at which traffic, by the expressions and thresholds of the templates.

interface Watched {
  readonly Id: string;
  readonly Expression?: string;
  readonly MetricStat?: { readonly Period: number };
}

const alarms = Object.values(synthesized('prod')).flatMap((template) =>
  propertiesOf(template, 'CloudWatch::Alarm'),
);

function alarmNamed(end: string) {
  const [alarm] = alarms.filter(({ AlarmName }) => JSON.stringify(AlarmName).includes(`-${end}`));
  return alarm;
}

/** The result of a metric math expression for one period. CloudWatch and JavaScript write these alike. */
function result(metrics: readonly Watched[], seen: Readonly<Record<string, number | undefined>>): number {
  const values: Record<string, number | undefined> = { ...seen };
  const functions = {
    IF: (condition: boolean, yes: number, no: number) => (condition ? yes : no),
    FILL: (value: number | undefined, instead: number) => value ?? instead,
  };
  const worthOf = ({ Id, Expression }: Watched): number => {
    if (Expression === undefined) {
      return values[Id] as number;
    }
    const names = metrics.map((one) => one.Id).filter((id) => Expression.includes(id) && id !== Id);
    const inner = names.map((id) => worthOf(metrics.find((one) => one.Id === id) as Watched));
    const evaluate = new Function(...Object.keys(functions), ...names, `return ${Expression}`);
    return evaluate(...Object.values(functions), ...inner);
  };
  const returned = metrics.find((one) => (one as { ReturnData?: boolean }).ReturnData !== false);
  return worthOf(returned as Watched);
}

function goesOff(name: string, seen: Readonly<Record<string, number | undefined>>): boolean {
  const { Metrics, Threshold } = alarmNamed(name);
  return result(Metrics, seen) > Threshold;
}

/** Records a minute, at one event a minute, 100 and 1,000 events a second. */
const TRAFFIC = { 'one a minute': 1, '100 a second': 6_000, '1,000 a second': 60_000 };

/** How much of the work fails while nothing is wrong: AWS's own errors. */
const ALWAYS = 0.0001;

describe.each(Object.entries(TRAFFIC))('at %s', (_, perMinute) => {
  const fiveMinutes = 5 * perMinute;

  describe.each([
    'match-internal-errors',
    'delivery-internal-errors',
    'timer-internal-errors',
    'api-internal-errors',
  ])('%s', (name) => {
    test('does not go off for what always fails', () => {
      expect(goesOff(name, { failures: Math.ceil(fiveMinutes * ALWAYS), work: fiveMinutes })).toBe(false);
    });

    test('goes off when one in ten fails, or at the lowest traffic all of it', () => {
      const failures = Math.max(4, fiveMinutes / 10);
      expect(goesOff(name, { failures, work: fiveMinutes })).toBe(true);
    });
  });

  test('a canary continues with what always fails', () => {
    const deliveries = { failures: Math.ceil(2 * perMinute * ALWAYS), work: perMinute };
    expect(goesOff('canary-internal-errors-logged', deliveries)).toBe(false);
    expect(goesOff('canary-server-errors', deliveries)).toBe(false);
  });

  test('a canary ends when a twentieth of its tenth fails, but for six lines at least', () => {
    const failures = Math.max(6, perMinute * 0.1 * 0.05);
    expect(goesOff('canary-internal-errors-logged', { failures, work: perMinute })).toBe(true);
  });

  test('the errors of a new version, and of any, end it or wake somebody from one in a hundred on', () => {
    for (const name of ['canary-deliver', 'observability-deliver-errors']) {
      const { Threshold, Statistic, MetricName } = alarmNamed(name);
      expect([MetricName, Statistic]).toEqual(['Errors', 'Average']);
      expect(ALWAYS).toBeLessThan(Threshold);
      expect(Threshold).toBeLessThan(0.01);
    }
  });

  test('throttles of a burst wake nobody; a function that gets no worker does', () => {
    expect(goesOff('function-throttles', { failures: 2, work: fiveMinutes })).toBe(false);
    expect(goesOff('function-throttles', { failures: fiveMinutes * ALWAYS, work: fiveMinutes })).toBe(false);
    expect(goesOff('function-throttles', { failures: fiveMinutes, work: fiveMinutes })).toBe(true);
  });

  describe('work-goes-round, in a quarter of an hour,', () => {
    const events = 15 * perMinute;
    // Each message is one or two kilobytes with its attempt, so it takes at least two write units.
    test.each([
      ['all is well', { messages: events, timers: 0, work: 2 * events }],
      [
        'an endpoint is down, and all is queued behind its circuit',
        { messages: events, timers: 900, work: 2 * events },
      ],
      ['each first attempt fails', { messages: 2 * events, timers: events, work: 4 * events }],
      ['a million drain, and nothing new comes', { messages: 230_000, timers: 900, work: 460_000 }],
      [
        '100 slow endpoints drain, each with a timer a second',
        { messages: 50_000, timers: 90_000, work: 100_000 },
      ],
      ['the stage is idle', { messages: 3, timers: 0, work: 10 }],
    ])('does not go off while %s', (_situation, seen) => {
      expect(goesOff('work-goes-round', seen)).toBe(false);
    });

    test.each([
      ['500 workers send each other signals in 50 ms', { messages: 9_000_000, timers: 0, work: 2 * events }],
      ['10,000 timers a second set themselves again', { messages: 0, timers: 9_000_000, work: 2 * events }],
    ])('goes off when %s', (_situation, seen) => {
      expect(goesOff('work-goes-round', seen)).toBe(true);
    });
  });
});

test('work that goes round twenty times a second shows at low traffic', () => {
  expect(goesOff('work-goes-round', { messages: 18_000, timers: undefined, work: 30 })).toBe(true);
});

/**
 * Alarms on a number alone: more traffic does not raise it while nothing is wrong. What each of them counts,
 * by how their names begin or end.
 */
const NUMBERS: Readonly<Record<string, RegExp>> = {
  'one is too many': /^(events-lost|rule-failures|routes-unreadable|payments-stuck|events-stuck|audit-lost)$/,
  'a grant that is missing': /^access-denied$/,
  'a queue that is empty while all is well': /-(dead-letters|unclaimed)$/,
  'how old something is, or late': /(-oldest|-waiting|-behind|-late|-late-on-average|^oldest-due)$/,
  'runs of sweep, one a minute': /^sweep-internal-errors$/,
  'a synthetic payment': /^doctor-failed$/,
  'endpoints, not their webhooks': /^circuit-storm$/,
  'what the SDK repeats, in each of three periods: DynamoDB adapts within these': /-throttled$/,
  'requests: the API takes 60,000 in the period': /^requests-uncounted$/,
};

test('each other alarm of people and canaries is a share of the work, or counts what traffic does not raise', () => {
  const names = alarms.map(({ AlarmName, Metrics, Statistic, MetricName }) => {
    const text = JSON.stringify(AlarmName);
    const name = (/(?:observability|canary)-([a-z-]+)/.exec(text)?.[1] ?? text).replace(/-$/, '');
    const isShare =
      (MetricName === 'Errors' && Statistic === 'Average') ||
      (Metrics ?? []).some(({ Expression = '' }: Watched) => Expression.includes('* FILL(work, 0)'));
    return { name, isShare };
  });
  expect(names.filter(({ isShare }) => isShare).length).toBeGreaterThan(15);
  const unexplained = names.filter(
    ({ name, isShare }) => !isShare && !Object.values(NUMBERS).some((pattern) => pattern.test(name)),
  );
  expect(unexplained.map(({ name }) => name)).toEqual([]);
});
