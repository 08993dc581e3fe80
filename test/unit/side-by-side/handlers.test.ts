import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { bundle, root } from '../../../lib/bundling/bundle.ts';
import { FUNCTION_FOLDERS } from '../../../lib/bundling/function-folders.ts';
import { FUNCTIONS, type FunctionName } from '../../support/side-by-side/invocations.ts';

/** As many as Lambda gives an environment of one vCPU by default. Source: "Node.js runtime for Lambda Managed Instances", AWS Lambda Developer Guide. */
const INVOCATIONS = 64;
const FEW = 8;
const PATIENCE_MS = 240_000;
const MAX_BYTES = 64 * 1_048_576;

interface Outcome {
  readonly result: string;
  /** What it logged, its metrics and its meter's line among them. */
  readonly lines: readonly string[];
}

type Report = Readonly<
  Record<FunctionName, { readonly outcomes: readonly Outcome[]; readonly requests: readonly string[] }>
> & { readonly nobody: readonly string[] };

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'payhooks-side-by-side-'));
  for (const name of FUNCTIONS) {
    bundle(join(root, 'functions', FUNCTION_FOLDERS[name], 'handler.ts'), join(folder, `${name}.mjs`));
  }
}, PATIENCE_MS);

afterAll(() => rm(folder, { recursive: true }));

/** What came of the invocations of each function, all in one environment, as deployed. */
async function ran(how: 'one after another' | 'side by side' | 'broken', count: number): Promise<Report> {
  const { stdout } = await promisify(execFile)(
    'node',
    [join(root, 'test/support/side-by-side/environment-process.ts'), folder, how, String(count)],
    { env: { PATH: process.env.PATH }, maxBuffer: MAX_BYTES },
  );
  return JSON.parse(stdout);
}

test(
  `${INVOCATIONS} invocations side by side answer, log, count, tell and ask of AWS what each does when it is alone`,
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
    // Enough of everything that could be mixed up.
    const told = FUNCTIONS.flatMap((name) => together[name].outcomes.flatMap(({ lines }) => lines)).join(
      '\n',
    );
    for (const what of [
      'Attempt.delivered',
      'Circuit.closed',
      'Event.buried',
      'RecordAge',
      'Request.uncounted',
      'Subscription.disabled',
      'Tally.unreadable',
      'invocation.metered',
      'api.answered',
    ]) {
      expect(told).toContain(what);
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
  'and this notices when they share what is one’s own: in a runtime that takes each for the only one, metrics are told by others',
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
