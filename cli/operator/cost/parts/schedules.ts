import { functionsOf, names, ofType, type Resource } from '../ground.ts';
import { type Measured, usedByOne } from '../measured/measured.ts';
import { MONTH_SECONDS, sumOf, times, type Usage } from '../usage.ts';

/** The functions that run by themselves, and how often in a month. */
export function scheduledIn({ resources, functions }: Omit<Standing, 'measured'>) {
  const aliases = ofType(resources, 'AWS::Lambda::Alias');
  return ofType(resources, 'AWS::Scheduler::Schedule').map(({ id, properties }) => {
    const target = properties.Target.Arn;
    const named = aliases
      .filter((alias) => names(target, alias))
      .map((alias) => alias.properties.FunctionName);
    const worker = [...functions.values()].find(({ resource }) => names([target, ...named], resource));
    if (worker === undefined) {
      throw new Error(`it is unknown what ${id} runs`);
    }
    return { worker, runs: MONTH_SECONDS / secondsOf(properties.ScheduleExpression) };
  });
}

const SECONDS: Readonly<Record<string, number>> = { minute: 60, hour: 3_600, day: 86_400 };

/** @throws when a schedule is not a rate: cron expressions are not supported */
function secondsOf(expression: string): number {
  const [, count, unit = ''] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression) ?? [];
  if (count === undefined) {
    throw new Error(`how often is ${expression}?`);
  }
  return Number(count) * SECONDS[unit]!;
}

/** What runs of scheduled functions use. What the doctor's payments take on their way is not in it. */
export function running(standing: Standing): Usage {
  const { sweep } = standing.measured.courses;
  return sumOf(
    scheduledIn(standing).map(({ worker, runs }) => {
      const each =
        worker.name === 'doctor'
          ? examination(standing)
          : worker.name === 'notices'
            ? lookOfNotices(worker.memoryGb)
            : usedByOne(sweep.functions[worker.name]);
      return times(runs, sumOf([{ scheduledRun: 1, ...(worker.isTraced ? { trace: 1 } : {}) }, each]));
    }),
  );
}

/** What is not measured of the doctor, who waits for its payment, and of its receiver: docs/operations.md. */
const DOCTOR = { seconds: 2, answerSeconds: 0.05, logBytes: 1_150 };

function examination({ functions }: Standing): Usage {
  const of = (name: string, seconds: number) => {
    const memoryGb = functions.get(name)?.memoryGb;
    return memoryGb === undefined
      ? {}
      : { lambdaRequest: 1, lambdaGbSecond: seconds * memoryGb, logGigabyte: DOCTOR.logBytes / 1e9 };
  };
  return sumOf([
    of('doctor', DOCTOR.seconds),
    of('synthetic-receiver', DOCTOR.answerSeconds),
    functions.get('synthetic-receiver')?.isTraced ? { trace: 1 } : {},
  ]);
}

/** A look at few subscriptions: docs/notices.md has the price of many. Estimated. */
function lookOfNotices(memoryGb: number): Usage {
  return { lambdaRequest: 1, lambdaGbSecond: 0.05 * memoryGb, readUnit: 2 };
}

/** A stage as it stands in its templates, with what its functions were measured to use. */
export type Standing = ReturnType<typeof standingOf>;

export function standingOf(resources: readonly Resource[], measured: Measured) {
  return { resources, functions: functionsOf(resources), measured };
}
