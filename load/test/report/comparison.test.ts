/** @jest-environment-options {"customExportConditions": ["umd", "node", "require", "default"]} */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeComparison } from '../../report/compare-runs.ts';
import { comparisonPage } from '../../report/comparison.ts';
import { writeIndex } from '../../report/run-index.ts';
import type { RunResult } from '../../results/run-result.ts';
import { expectSound, textOf } from './report-page.ts';
import { sampleCells, sampleRun } from './report-sample.ts';

let runs = '';
beforeEach(async () => {
  runs = await mkdtemp(join(tmpdir(), 'payhooks-runs-'));
});
afterEach(() => rm(runs, { recursive: true }));

async function ran(folder: string, changes: Partial<RunResult> = {}): Promise<void> {
  await mkdir(join(runs, folder));
  await writeFile(
    join(runs, folder, 'result.json'),
    JSON.stringify(sampleRun({ run_id: folder, ...changes })),
  );
}

async function compared(a: string, b: string): Promise<string> {
  return readFile(await writeComparison(runs, [a, b]), 'utf8');
}

const toSend = (p99: number) => ({
  time_to_send: { count: 100, mean: 8, p50: 8, p90: 12, p95: 14, p99, max: 400 },
});

describe('two runs side by side', () => {
  test('show each number in columns, with its ratio and whether it improved', async () => {
    await ran('before', { latencies: toSend(40), delivered_per_second: 20 });
    await ran('after', { latencies: toSend(30), delivered_per_second: 10 });
    const text = textOf(await compared('before', 'after'));
    expect(text).toContain('p50 8 ms 8 ms ×1.00 p90');
    expect(text).toContain('p99 40 ms 30 ms ×0.75 better');
    expect(text).toContain('delivered 20/s 10/s ×0.50 worse');
  });

  test('list the differences in how they were run', async () => {
    await ran('slow', { parameters: { rate: 20, services: 5 } });
    await ran('fast', { parameters: { rate: 80, services: 5, delay_ms: [1, 2] } });
    const text = textOf(await compared('slow', 'fast'));
    expect(text).toContain('rate 20 80 delay_ms none [1,2]');
    expect(text).not.toContain('services 5 5');
  });

  test('are compared by cell where both have it', async () => {
    const cells = sampleCells();
    await ran('whole', { groups: cells });
    await ran('part', { groups: cells.slice(0, 1) });
    const text = textOf(await compared('whole', 'part'));
    expect(text).toContain(`${cells[0]?.name} `);
    expect(text).not.toContain(`${cells[1]?.name} `);
  });

  test('make a self-contained page, even when one measured nothing', async () => {
    await ran('some');
    await ran('none', { latencies: {}, points: [], attempts: {}, cost: undefined, work: undefined });
    const page = await compared('some', 'none');
    expectSound(page);
  });

  test('an unknown run is refused, naming the known ones', async () => {
    await ran('one');
    await ran('two');
    await expect(compared('one', 'three')).rejects.toThrow(
      'There is no run "three"; the runs are:\n  one\n  two',
    );
  });

  test.each(['', '..', '/etc'])('%j is no run', async (id) => {
    await ran('one');
    await expect(compared('one', id)).rejects.toThrow(/There is no run/);
  });

  test('a run that cannot be read is refused with the reason', async () => {
    await ran('one');
    await mkdir(join(runs, 'two'));
    await expect(compared('one', 'two')).rejects.toThrow('two has no result.json');
  });

  test('a run is not compared with itself', async () => {
    await ran('one');
    await expect(compared('one', 'one')).rejects.toThrow(/itself says nothing/);
  });
});

describe('the page of all runs', () => {
  const index = async () => readFile(await writeIndex(runs), 'utf8');

  test('lists runs newest first, with numbers, promises and links', async () => {
    const lost = { ...sampleRun().promises, lost: 1 };
    await ran('a-newer', {
      scenario: 'burst',
      started_at: '2026-11-15T10:00:00.000Z',
      latencies: toSend(31),
    });
    await ran('b-older', { scenario: 'simple', started_at: '2026-11-14T10:00:00.000Z', promises: lost });
    const page = await index();
    expect(textOf(page)).toMatch(/burst .*✓ passed 8 ms 31 ms .*simple .*✗ failed/);
    expect(page).toContain('href="a-newer/report.html"');
    expect(page).toContain('href="a-newer/result.json"');
  });

  test('lists unreadable folders with the reason', async () => {
    await ran('good');
    await mkdir(join(runs, 'cut-off'));
    expect(textOf(await index())).toContain('cut-off has no result.json');
  });

  test('lists soaks with their outcome', async () => {
    await mkdir(join(runs, 'soak-7'));
    await writeFile(join(runs, 'soak-7/result.json'), JSON.stringify({ durationMs: 1, outcome: 'void' }));
    const page = await index();
    expect(textOf(page)).toContain('soak-7 – void');
    expect(page).toContain('href="soak-7/report.html"');
    expect(textOf(page)).not.toContain('Unreadable');
  });

  test('links comparisons, and shows the command to compare two runs of a scenario', async () => {
    await ran('one');
    await ran('two', { started_at: '2026-11-15T10:00:00.000Z' });
    await writeComparison(runs, ['one', 'two']);
    const page = await index();
    expect(page).toContain('href="compare-one-two.html"');
    expect(textOf(page)).toContain('npm run load -- compare one two');
  });

  test('shows the command for the first run when there is none', async () => {
    const page = await index();
    expect(textOf(page)).toContain('npm run load -- simple');
    expectSound(page);
  });

  test('escapes a hostile folder name', async () => {
    await mkdir(join(runs, '"><script>x'));
    await ran('<b>', { scenario: '<script>', title: '"><img src="x">' });
    const page = await index();
    expectSound(page);
    expect(page).not.toMatch(/<script|<img/);
  });

  test('is refused for a missing folder', async () => {
    await expect(writeIndex(join(runs, 'nowhere'))).rejects.toThrow(/There is no folder .*nowhere/);
  });
});

test('figures without a measurement are left out instead of shown as 0 ms', () => {
  const { latencies } = sampleRun();
  const none = { count: 0, mean: 0, p50: 0, p90: 0, p95: 0, p99: 0, max: 0 };
  const run = { folder: 'a', result: sampleRun({ latencies: { ...latencies, behind_earlier: none } }) };
  expect(comparisonPage(run, { ...run, folder: 'b' })).not.toMatch(/ordering wait/i);
});
