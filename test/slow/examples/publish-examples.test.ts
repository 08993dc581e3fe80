import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { examplesPython, hasPython } from '../../support/examples-python.ts';
import { INSTALLING_MS } from '../../support/installing.ts';
import { type Published, startFakeBus, startFakeQueue } from './fake-doors.ts';

const examples = path.join(import.meta.dirname, '../../../docs/examples');

interface Example {
  readonly file: string;
  readonly by: string;
  readonly door: typeof startFakeBus;
  /** What it is told to publish to, with the URL of the door. */
  readonly target: (url: string) => string;
}

interface Run {
  readonly output: string;
  /** Event ids of each call. */
  readonly calls: readonly (readonly string[])[];
  readonly published: readonly Published[];
}

const BUS = { by: 'the bus', door: startFakeBus, target: () => 'payhooks-dev' };
const QUEUE = {
  by: 'the queue',
  door: startFakeQueue,
  target: (url: string) => `${url}/000000000000/events.fifo`,
};

async function run(
  { file, door, target }: Example,
  events: readonly object[],
  accepts: (id: string, call: number) => boolean = () => true,
): Promise<Run> {
  const fake = await door(({ event }, call) => accepts(event.event_id, call));
  const runtime = file.endsWith('.py') ? await examplesPython() : process.execPath;
  const child = spawn(runtime, [path.join(examples, file), target(fake.url)], {
    env: {
      PATH: process.env.PATH,
      AWS_ENDPOINT_URL: fake.url,
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
  await fake.stop();
  const calls = fake.calls.map((call) => call.map(({ event }) => event.event_id));
  return { output, calls, published: fake.calls.flat() };
}

const event = (event_id: string, payment_id: string, resource: object = {}) => ({
  event_id,
  payment_id,
  event_type: 'CAPTURE_CONFIRMED',
  resource,
});

describe.each<Example>([
  { file: 'publish.mjs', ...BUS },
  { file: 'publish.py', ...BUS },
  { file: 'publish.mjs', ...QUEUE },
  { file: 'publish.py', ...QUEUE },
])('$file by $by', (example) => {
  const isThere = hasPython || !example.file.endsWith('.py');
  const verify = isThere ? test : test.skip;
  // The first time its packages are fetched.
  beforeAll(
    async () => isThere && example.file.endsWith('.py') && void (await examplesPython()),
    INSTALLING_MS,
  );

  verify('publishes the events of the page, those of a payment one call after another', async () => {
    const lines = readFileSync(path.join(examples, 'events.jsonl'), 'utf8').trim().split('\n');
    const events = lines.map((line) => JSON.parse(line));
    const { output, calls, published } = await run(example, events);
    expect(output).toBe('4 accepted\n');
    expect(calls).toEqual([['evt_0001', 'evt_0003'], ['evt_0002'], ['evt_0004']]);
    expect(published[0]?.event).toEqual(events[0]);
    expect(published[0]?.entry).toMatchObject(
      example.door === startFakeBus
        ? { EventBusName: 'payhooks-dev', Source: 'payments', DetailType: 'PAYMENT_STARTED' }
        : { MessageGroupId: events[0].payment_id, MessageDeduplicationId: 'evt_0001' },
    );
  });

  verify('sends a refused entry again alone, and has what follows it in its payment wait', async () => {
    const events = [event('a1', 'a'), event('a2', 'a'), event('b1', 'b'), event('b2', 'b')];
    const { calls } = await run(example, events, (id, call) => id !== 'a1' || call > 2);
    expect(calls).toEqual([['a1', 'b1'], ['a1', 'b2'], ['a1'], ['a2']]);
  });

  verify('puts at most ten entries and less than 256 KB into a call', async () => {
    const many = Array.from({ length: 12 }, (_, index) => event(`e${index}`, `p${index}`));
    const large = ['x', 'y', 'z'].map((id) => event(id, id, { text: '£'.repeat(50_000) }));
    const { calls } = await run(example, [...many, ...large]);
    expect(calls.map((call) => call.length)).toEqual([10, 4, 1]);
  });
});
