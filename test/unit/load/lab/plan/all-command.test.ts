import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ExplainedError } from '../../../../../cli/terminal/explained-error.ts';
import { allCommand } from '../../../../../load/lab/plan/all-command.ts';
import { ORDER, quickOptions } from '../../../../../load/lab/plan/all-plan.ts';
import { allTable } from '../../../../../load/lab/plan/all-table.ts';
import type { CellRun } from '../../../../../load/lab/plan/cell-run.ts';
import { combineRepetitions } from '../../../../../load/lab/plan/repetitions.ts';
import { givenOptions, loadOptions } from '../../../../../load/lab/scenario/load-options.ts';
import { readScenario, scenarioNames } from '../../../../../load/lab/scenario/scenario.ts';
import type { LabStage } from '../../../../../load/lab/stage/lab-stage.ts';
import { findingsOf } from '../../builders.ts';
import { sampleGroups, sampleRun } from '../../report/report-sample.ts';

let runs = '';
beforeEach(async () => {
  runs = await mkdtemp(join(tmpdir(), 'load-all-'));
});
afterEach(() => rm(runs, { recursive: true }));

/** All scenarios with cells that are made up. */
async function all(
  args: readonly string[] = [],
  onCell: (
    scenario: string,
    interrupt: () => void,
    given: CellRun,
  ) => Partial<Parameters<typeof findingsOf>[0]> = () => ({}),
) {
  const person = new AbortController();
  const scenarios: string[] = [];
  const printed: string[] = [];
  let error: string | undefined;
  let running = '';
  const ended = await allCommand(
    givenOptions(['all', ...args]),
    {
      stage: async (name) => ({ name, machine: 'a test', close: async () => {} }) as LabStage,
      signal: person.signal,
      install: async (directory) => {
        running = directory.replace(/^.*?T\d+-/, '');
        scenarios.push(running);
      },
      runCell: async (given) => findingsOf(onCell(running, () => person.abort(new Error('Ctrl-C')), given)),
      report: async () => undefined,
      runs,
      print: (text) => printed.push(text),
      say: () => {},
    },
    0,
  ).catch((thrown: Error) => {
    error = thrown.message;
    return undefined;
  });
  return { error, outcome: ended?.outcome, scenarios, printed: printed.join('') };
}

test('the order of all scenarios is complete', async () => {
  expect([...ORDER].sort()).toEqual(await scenarioNames());
});

test('all scenarios are run, and one table is printed and written', async () => {
  const { scenarios, printed, outcome } = await all();
  expect(outcome).toBe('passed');
  expect(scenarios).toEqual(ORDER);
  const table = await readFile(join(runs, 'all.md'), 'utf8');
  expect(printed).toContain(table);
  const lines = table.trimEnd().split('\n');
  expect(lines).toHaveLength(2 + ORDER.length);
  expect(lines[3]).toContain(
    '| `npm run load -- simple` | One partner that answers quickly | passed | 100 of 100 | 0, 0, 0 |',
  );
  expect(lines[3]).toContain('GOV.UK Pay, first test of its webhooks: 10 payments a second');
});

test('a broken promise is reported at the end and does not stop the other scenarios', async () => {
  const { promises } = findingsOf();
  const { scenarios, outcome, printed } = await all([], (scenario) =>
    scenario === 'simple'
      ? { promises: { ...promises, lost: 3 } }
      : scenario === 'burst'
        ? { gaps: ['the generator was late'] }
        : {},
  );
  expect(scenarios).toEqual(ORDER);
  expect(outcome).toBe('failed');
  expect(printed).toContain('\nsimple failed: 3 lost\nburst void: the generator was late\n');
  expect(await readFile(join(runs, 'all.md'), 'utf8')).toContain('| failed; 3 lost | 100 of 100 | 3, 0, 0 |');
});

test('a scenario that proves nothing makes them void when none failed, also in JSON', async () => {
  const { outcome, printed } = await all(['--json'], (scenario) =>
    scenario === 'simple' ? { gaps: ['the generator was late'] } : {},
  );
  expect(outcome).toBe('void');
  expect(JSON.parse(printed)).toMatchObject({
    outcome: 'void',
    done: expect.arrayContaining([
      expect.objectContaining({ scenario: 'simple', outcome: 'void', fault: 'the generator was late' }),
      expect.objectContaining({ scenario: 'burst', outcome: 'passed' }),
    ]),
  });
});

test('a scenario that cannot run is listed with the reason', async () => {
  const { outcome, printed } = await all([], (scenario) => {
    if (scenario === 'slow-store')
      throw new ExplainedError('the local stack has no store that can be slowed down');
    return {};
  });
  expect(outcome).toBe('failed');
  expect(printed).toMatch(/slow-store failed: the local stack has no store/);
  expect(await readFile(join(runs, 'all.md'), 'utf8')).toContain('not run: the local stack has no store');
});

test('after an interruption it continues with the interrupted scenario; after completion it starts over', async () => {
  const first = await all([], (scenario, interrupt) => {
    if (scenario !== 'varying-receiver') return {};
    interrupt();
    return { is_interrupted: true };
  });
  expect(first.scenarios).toEqual(ORDER.slice(0, 3));
  const second = await all();
  expect(second.scenarios).toEqual(ORDER.slice(2));
  expect((await readFile(join(runs, 'all.md'), 'utf8')).trimEnd().split('\n')).toHaveLength(2 + ORDER.length);
  expect((await all()).scenarios).toEqual(ORDER);
});

test('with other options it starts over', async () => {
  await all([], (_, interrupt) => {
    interrupt();
    return { is_interrupted: true };
  });
  const { scenarios } = await all(['--quick', '--repeat', '2']);
  expect(scenarios).toEqual(ORDER);
  expect(await readFile(join(runs, 'all.md'), 'utf8')).toContain(
    '`npm run load -- simple --duration 8 --warm-up 3 --repeat 2`',
  );
  expect(await readdir(runs)).toContain('all.json');
});

test.each(ORDER)('%s accepts its options of --quick', async (name) => {
  const scenario = await readScenario(name);
  expect(loadOptions(givenOptions([name, ...quickOptions(name)]), scenario).parameters.duration).toBe(8);
});

test.each([['--rate', '5'], ['--full']])('%s is refused for all scenarios', async (...option) => {
  expect((await all(option)).error).toMatch(/: all takes --repeat N, --quick, --stage NAME and --json/);
});

test('the table has medians with their range and more figures, and stays a table', () => {
  const [healthy] = sampleGroups();
  const { latencies } = healthy!;
  const groups = [{ ...healthy!, before: latencies, during: latencies, isolation: 1.1 }];
  const run = (p99: number) => {
    const time_to_send = { ...sampleRun().latencies.time_to_send!, p99 };
    const behind_earlier = { ...time_to_send, p50: 100, p99: 130 };
    return sampleRun({ title: 'a|b\nc', groups, latencies: { time_to_send, behind_earlier } });
  };
  const table = allTable([{ scenario: 'x', result: combineRepetitions([run(31), run(90), run(40)], []) }]);
  expect(table.split('\n')).toHaveLength(4);
  expect(table).toContain('a\\|b c, median of 3');
  expect(table).toContain('p99 40 (31 to 90)');
  expect(table).toContain('ordering wait p50 100, p99 130');
  expect(table).toMatch(/healthy before p50 8, p99 \d+, during p50 8, p99 \d+: 1.1 times \(target 1.2\)/);
});
