import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { examplesPython, hasPython } from '../../support/examples-python.ts';
import { type Entry, startFakeBus } from './fake-bus.ts';

/** Python compiles what it imports the first time. */
jest.setTimeout(30_000);

const examples = path.join(import.meta.dirname, '../../../docs/examples');

interface Run {
  readonly output: string;
  /** Event ids of each call. */
  readonly calls: readonly (readonly string[])[];
  readonly entries: readonly Entry[];
}

const idOf = ({ Detail }: Entry): string => JSON.parse(Detail).event_id;

async function run(
  [runtime, file]: readonly [() => string | Promise<string>, string],
  events: readonly object[],
  accepts: (id: string, call: number) => boolean = () => true,
): Promise<Run> {
  const bus = await startFakeBus((entry, call) => accepts(idOf(entry), call));
  const child = spawn(await runtime(), [path.join(examples, file), 'payhooks-dev'], {
    env: {
      PATH: process.env.PATH,
      AWS_ENDPOINT_URL: bus.url,
      AWS_REGION: 'eu-west-1',
      AWS_DEFAULT_REGION: 'eu-west-1',
      AWS_ACCESS_KEY_ID: '000000000000',
      AWS_SECRET_ACCESS_KEY: 'any',
    },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (data) => {
      output += data;
    });
  }
  child.stdin.end(events.map((event) => `${JSON.stringify(event)}\n`).join(''));
  await new Promise((resolve) => child.on('close', resolve));
  await bus.stop();
  return { output, calls: bus.calls.map((call) => call.map(idOf)), entries: bus.calls.flat() };
}

const event = (event_id: string, payment_id: string, resource: object = {}) => ({
  event_id,
  payment_id,
  event_type: 'CAPTURE_CONFIRMED',
  resource,
});

describe.each([
  ['publish.mjs', () => process.execPath, true],
  ['publish.py', examplesPython, hasPython],
] as const)('%s', (file, runtime, isThere) => {
  const example = [runtime, file] as const;
  const verify = isThere ? test : test.skip;
  // The first time its packages are fetched.
  beforeAll(async () => isThere && void (await runtime()), 60_000);

  verify('the events of the page arrive as entries, those of a payment one call after another', async () => {
    const lines = readFileSync(path.join(examples, 'events.jsonl'), 'utf8').trim().split('\n');
    const { output, calls, entries } = await run(
      example,
      lines.map((line) => JSON.parse(line)),
    );
    expect(output).toBe('4 accepted\n');
    expect(calls).toEqual([['evt_0001', 'evt_0003'], ['evt_0002'], ['evt_0004']]);
    expect(entries[0]).toMatchObject({
      EventBusName: 'payhooks-dev',
      Source: 'payments',
      DetailType: 'PAYMENT_STARTED',
    });
    expect(JSON.parse(entries[0]?.Detail ?? '')).toEqual(JSON.parse(lines[0] ?? ''));
  });

  verify('a refused entry is sent again alone, and what follows it in its payment waits', async () => {
    const events = [event('a1', 'a'), event('a2', 'a'), event('b1', 'b'), event('b2', 'b')];
    const { calls } = await run(example, events, (id, call) => id !== 'a1' || call > 2);
    expect(calls).toEqual([['a1', 'b1'], ['a1', 'b2'], ['a1'], ['a2']]);
  });

  verify('a call holds at most ten entries and less than 256 KB', async () => {
    const many = Array.from({ length: 12 }, (_, index) => event(`e${index}`, `p${index}`));
    const large = ['x', 'y', 'z'].map((id) => event(id, id, { text: '£'.repeat(50_000) }));
    const { calls } = await run(example, [...many, ...large]);
    expect(calls.map((call) => call.length)).toEqual([10, 4, 1]);
  });
});
