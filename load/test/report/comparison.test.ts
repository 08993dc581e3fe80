import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeComparison } from '../../report/compare-runs.ts';
import type { RunResult } from '../../results/run-result.ts';
import { expectSound, textOf } from './report-page.ts';
import { sampleRun } from './report-sample.ts';

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
  test('show each number in columns, with its ratio', async () => {
    await ran('before', { latencies: toSend(40), delivered_per_second: 20 });
    await ran('after', { latencies: toSend(30), delivered_per_second: 10 });
    const text = textOf(await compared('before', 'after'));
    expect(text).toContain('time to send p50 8 ms 8 ms ×1.00');
    expect(text).toContain('time to send p99 40 ms 30 ms ×0.75');
    expect(text).toContain('delivered 20/s 10/s ×0.50');
  });

  test('list the differences in how they were run', async () => {
    await ran('slow', { parameters: { rate: 20, services: 5 } });
    await ran('fast', { parameters: { rate: 80, services: 5, delay_ms: [1, 2] } });
    const text = textOf(await compared('slow', 'fast'));
    expect(text).toContain('rate 20 80 delay_ms none [1,2]');
    expect(text).not.toContain('services 5 5');
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
