import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Findings } from '../../../lab/findings/findings.ts';
import type { CellRun } from '../../../lab/plan/cell-run.ts';
import { loadCommand } from '../../../lab/plan/load-command.ts';
import type { LabStage } from '../../../lab/stage/lab-stage.ts';
import type { RunResult } from '../../../results/run-result.ts';
import { findingsOf } from '../../builders.ts';

let runs = '';
beforeEach(async () => {
  runs = await mkdtemp(join(tmpdir(), 'load-runs-'));
});
afterEach(() => rm(runs, { recursive: true }));

const MATRIX = ['matrix', '--body-bytes', '1024', '--delay-ms', '0,30', '--concurrency', '20,40'];

/** A run whose cells are made up. */
async function load(
  args: readonly string[],
  runCell: (given: CellRun, interrupt: () => void) => Promise<Findings> = async () => findingsOf(),
) {
  const person = new AbortController();
  const cells: string[] = [];
  const printed: string[] = [];
  let error: string | undefined;
  const result = await loadCommand([...args], {
    stage: async (name) => ({ name, machine: 'a test', close: async () => {} }) as LabStage,
    signal: person.signal,
    runCell: (given) => {
      cells.push(given.cell.name);
      return runCell(given, () => person.abort(new Error('Ctrl-C')));
    },
    report: async () => 'report.html',
    runs,
    print: (text) => printed.push(text),
    say: () => {},
  }).catch((thrown: Error) => {
    error = thrown.message;
    return undefined;
  });
  return {
    error,
    outcome: result?.outcome,
    reasons: result?.reasons.join(),
    cells,
    printed: printed.join(''),
  };
}

function cellWith({ cell }: CellRun): Findings {
  const counts = { expected: 1, delivered: 1, delivered_per_second: 1, failed_attempts: 0, latencies: {} };
  return findingsOf({ groups: [{ name: cell.name, place: cell.place, ...counts }] });
}

async function written(): Promise<RunResult> {
  const [run = ''] = await readdir(runs);
  return JSON.parse(await readFile(join(runs, run, 'result.json'), 'utf8'));
}

test('the result holds the command and the findings', async () => {
  await load(['simple', '--rate', '12']);
  expect(await written()).toMatchObject({
    v: 1,
    scenario: 'simple',
    source: { name: 'GOV.UK Pay, first test of its webhooks' },
    command: 'npm run load -- simple --rate 12',
    stage: 'local',
    machine: 'a test',
    parameters: { rate: 12, duration: 60 },
    is_interrupted: false,
    offered_per_second: 10,
    delivered_per_second: 10,
  });
});

test.each([
  ['lost', /1 lost/],
  ['order_violations', /1 out of order/],
  ['repeats', /1 unexplained duplicates/],
  ['invalid_signatures', /1 with an invalid signature/],
])('%s fails the run, and the result is there', async (name, reason) => {
  const { promises } = findingsOf();
  const { outcome, reasons, printed } = await load(['simple'], async () =>
    findingsOf({ promises: { ...promises, [name]: 1 } }),
  );
  expect(outcome).toBe('failed');
  expect(reasons).toMatch(reason);
  expect(printed).toMatch(/^failed: 1 /m);
  expect(await written()).toMatchObject({ outcome: 'failed', promises: { [name]: 1 } });
});

test('a gap does not hide what the run broke, in words and in JSON', async () => {
  const { promises } = findingsOf();
  const late = async () =>
    findingsOf({ gaps: ['the generator was late'], promises: { ...promises, lost: 1 } });
  expect((await load(['simple'], late)).printed).toMatch(/^failed: 1 lost, the generator was late$/m);
  expect(JSON.parse((await load(['simple', '--json'], late)).printed)).toMatchObject({
    outcome: 'failed',
    reasons: ['1 lost', 'the generator was late'],
  });
});

test('an interrupted run writes its results so far, and says so', async () => {
  const { error } = await load(['simple'], async (_, interrupt) => {
    interrupt();
    return findingsOf({ is_interrupted: true, remarks: ['7 messages were under way'] });
  });
  expect(error).toBeUndefined();
  expect(await written()).toMatchObject({ is_interrupted: true, promises: { expected: 100 } });
});

test('a run interrupted before anything was sent writes nothing', async () => {
  const { error } = await load(['simple'], async ({ signal }, interrupt) => {
    interrupt();
    throw signal.reason;
  });
  expect(error).toBe('Ctrl-C');
  const [run = ''] = await readdir(runs);
  expect(await readdir(join(runs, run))).not.toContain('result.json');
});

test('cells become groups of one result, with their counts added up', async () => {
  const { cells } = await load(MATRIX, async (given) => cellWith(given));
  expect(cells).toHaveLength(4);
  const { groups, promises, attempts, seconds } = await written();
  expect(groups[1]?.place).toEqual({ body_bytes: 1_024, delay_ms: 0, concurrency: 40 });
  expect([promises.expected, attempts.delivered, seconds]).toEqual([400, 400, 40]);
});

test('an interruption between two cells keeps the finished ones', async () => {
  let count = 0;
  await load(MATRIX, async ({ signal }, interrupt) => {
    count += 1;
    if (count < 2) return findingsOf();
    interrupt();
    throw signal.reason;
  });
  expect(await written()).toMatchObject({ is_interrupted: true, promises: { expected: 100 } });
});

test('help lists the scenarios, and for one its source and parameters', async () => {
  const { printed: all } = await load([]);
  expect(all).toContain('hanging-neighbour');
  expect(all).toContain('--repeat N');
  const { printed } = await load(['matrix', '--help']);
  expect(printed).toContain('WSO2 API Manager');
  expect(printed).toMatch(/--concurrency .*\(default: 20,100,300\)/);
});

test('a repeated run keeps each repetition, and is judged by all of them', async () => {
  let count = 0;
  const { reasons, printed } = await load(['simple', '--repeat', '3'], async () => {
    count += 1;
    const { promises } = findingsOf();
    return findingsOf({ promises: { ...promises, repeats: count === 2 ? 1 : 0 } });
  });
  expect(count).toBe(3);
  expect(reasons).toMatch(/1 unexplained duplicates/);
  expect(printed).toContain('Median, range and each value of 3 repetitions');
  const { repetitions, promises, command } = await written();
  expect(repetitions?.map(({ promises }) => promises.repeats)).toEqual([0, 1, 0]);
  expect(promises).toMatchObject({ expected: 300, repeats: 1 });
  expect(command).toBe('npm run load -- simple --repeat 3');
});

test('workers are warmed up for the first repetition only', async () => {
  const warm: boolean[] = [];
  await load(['simple', '--repeat', '2'], async ({ isWarm }) => {
    warm.push(isWarm);
    return findingsOf();
  });
  expect(warm).toEqual([false, true]);
});
