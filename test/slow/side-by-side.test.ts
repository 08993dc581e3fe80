import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CATALOGUE_FILE } from '../../functions/runtime/catalogue-file.ts';
import { bundle } from '../../lib/bundling/bundle.ts';
import { FUNCTION_FOLDERS } from '../../lib/bundling/function-folders.ts';
import { EventCatalogue } from '../../lib/events/event-catalogue.ts';
import { PROJECT } from '../../lib/project-paths.ts';
import { FUNCTIONS, type FunctionName } from '../support/side-by-side/invocations.ts';

/**
 * Lambda's default maximum for an environment of one vCPU. Source: "Node.js runtime for Lambda Managed
 * Instances", AWS Lambda Developer Guide.
 */
const INVOCATIONS = 64;
const FEW = 8;
const PATIENCE_MS = 240_000;
const MAX_BYTES = 64 * 1_048_576;

interface Outcome {
  readonly result: string;
  /** Its log entries, including metrics and the meter's. */
  readonly lines: readonly string[];
}

type Report = Readonly<
  Record<FunctionName, { readonly outcomes: readonly Outcome[]; readonly requests: readonly string[] }>
> & { readonly nobody: readonly string[] };

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'payhooks-side-by-side-'));
  for (const name of FUNCTIONS) {
    bundle(join(PROJECT, 'functions', FUNCTION_FOLDERS[name], 'handler.ts'), join(folder, `${name}.mjs`));
  }
  await writeFile(join(folder, CATALOGUE_FILE), JSON.stringify(EventCatalogue.govUkPay().types));
}, PATIENCE_MS);

afterAll(() => rm(folder, { recursive: true }));

/** Runs the invocations of each function in one environment, bundled as deployed. */
async function ran(how: 'one after another' | 'side by side' | 'broken', count: number): Promise<Report> {
  const { stdout } = await promisify(execFile)(
    'node',
    [join(PROJECT, 'test/support/side-by-side/environment-process.ts'), folder, how, String(count)],
    { env: { PATH: process.env.PATH }, maxBuffer: MAX_BYTES },
  );
  return JSON.parse(stdout);
}

test(
  `${INVOCATIONS} concurrent invocations answer, log, count, report and call AWS as each does alone`,
  async () => {
    const [alone, together] = await Promise.all([
      ran('one after another', INVOCATIONS),
      ran('side by side', INVOCATIONS),
    ]);
    for (const name of FUNCTIONS) {
      expect(together[name].outcomes).toHaveLength(INVOCATIONS);
      together[name].outcomes.forEach((outcome, number) => {
        expect([name, number, outcome]).toEqual([name, number, alone[name].outcomes[number]]);
      });
      expect(together[name].requests).toEqual(alone[name].requests);
    }
    expect(together.nobody).toEqual(alone.nobody);
    // Make sure that everything that could be mixed up occurred.
    const logged = FUNCTIONS.flatMap((name) => together[name].outcomes.flatMap(({ lines }) => lines)).join(
      '\n',
    );
    for (const what of [
      'Attempt.delivered',
      'Circuit.closed',
      'Event.deadLettered',
      'RecordAge',
      'Request.uncounted',
      'Subscription.disabled',
      'Statistics.unreadable',
      'invocation.metered',
      'api.answered',
    ]) {
      expect(logged).toContain(what);
    }
    const asked = FUNCTIONS.flatMap((name) => together[name].requests).join('\n');
    for (const what of [
      'subscription.paused',
      'subscription.disabled',
      'circuit.closed',
      'in_progress_until_ms',
    ]) {
      expect(asked).toContain(what);
    }
  },
  PATIENCE_MS,
);

test(
  'this test detects shared state: in a runtime that isolates nothing, invocations report the metrics of others',
  async () => {
    const [alone, mixed] = await Promise.all([ran('one after another', FEW), ran('broken', FEW)]);
    const differing = FUNCTIONS.filter((name) =>
      mixed[name].outcomes.some(({ lines }, number) =>
        lines.some((line) => !alone[name].outcomes[number]?.lines.includes(line)),
      ),
    );
    expect(differing).toEqual(expect.arrayContaining(['deliver', 'wake']));
  },
  PATIENCE_MS,
);
