import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import timers from 'node:timers/promises';
import { installRuntimeStore } from '../../../local/emulator/runtime-store.ts';
import { TEN_O_CLOCK_MS } from '../builders.ts';
import { awsStandIn } from './aws-stand-in.ts';
import { canonical } from './canonical.ts';
import { eventOf, FUNCTIONS, type FunctionName } from './invocations.ts';

/**
 * One environment with all functions, whose invocations run in turn or concurrently: `node
 * environment-process.ts <folder of bundles> <how> <how many>` prints the result of each. `broken`:
 * concurrently, in a runtime that mistakes each invocation for the only one.
 */
const [, , bundles = '', how, countText] = process.argv;
const count = Number(countText);
const LONGEST_ANSWER_MS = how === 'one after another' ? 0 : 40;

const aws = await awsStandIn(LONGEST_ANSWER_MS);
const store = installRuntimeStore(how !== 'broken');
// Time stands still, nothing times out on a busy machine, and randomness is fixed: remaining differences come
// from the functions.
const SLOWER = 1_000;
const { setTimeout: pause } = timers;
const { setTimeout: later, AbortSignal: signals } = globalThis;
const abortAfter = signals.timeout.bind(signals);
Date.now = () => TEN_O_CLOCK_MS;
Math.random = () => 0.5;
timers.setTimeout = ((ms: number) => pause(ms * SLOWER)) as typeof pause;
globalThis.setTimeout = ((act: () => void, ms = 0) => later(act, ms * SLOWER)) as typeof setTimeout;
signals.timeout = (ms) => abortAfter(ms * SLOWER);
syncBuiltinESMExports();
Object.assign(process.env, {
  SUBSCRIPTIONS_TABLE: 'subscriptions',
  SIGNING_SECRETS_TABLE: 'secrets',
  SIGNING_SECRETS_KEY: 'key',
  ORDERING_KEYS_TABLE: 'keys',
  HISTORY_TABLE: 'history',
  STATISTICS_TABLE: 'statistics',
  SEQUENCES_TABLE: 'sequences',
  IDEMPOTENCY_TABLE: 'idempotency',
  AUDIT_TABLE: 'audit',
  API_TOKENS_TABLE: 'tokens',
  ...Object.fromEntries(
    [
      'EVENTS_QUEUE_URL',
      'DELIVERIES_QUEUE_URL',
      'RETRY_TIMERS_URL',
      'EVENTS_DEAD_LETTERS_URL',
      'DELIVERIES_DEAD_LETTERS_URL',
    ].map((name) => [name, `${aws.endpoint}/1/${name}`]),
  ),
  BUS_NAME: 'bus',
  CALLBACK_URL_RULES: '{"allowLoopback": true}',
  DELIVERY_POLICY: '{}',
  ATTEMPTS_PER_DRAW: '1',
  QUEUE_PUBLISHERS: 'none',
  VALIDATE: 'off',
  AWS_REGION: 'eu-west-1',
  AWS_ACCESS_KEY_ID: 'nobody',
  AWS_SECRET_ACCESS_KEY: 'nothing',
  AWS_ENDPOINT_URL: aws.endpoint,
  AWS_LAMBDA_MAX_CONCURRENCY: '64',
  AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '2048',
  AWS_METER: 'on',
  POWERTOOLS_METRICS_NAMESPACE: 'Payhooks',
  POWERTOOLS_SERVICE_NAME: 'side-by-side',
});

const written = new Map<string, string[]>();
const write = process.stdout.write.bind(process.stdout);
process.stdout.write = process.stderr.write = ((text: string) => {
  const id = store.getRequestId();
  written.set(id, [...(written.get(id) ?? []), ...String(text).trim().split('\n')]);
  return true;
}) as typeof process.stdout.write;

type Handler = (event: unknown, context: object) => Promise<unknown>;

async function invoke(handler: Handler, name: FunctionName, number: number) {
  const id = `${name} ${number}`;
  const context = { getRemainingTimeInMillis: () => 10_000 + number, awsRequestId: id };
  const result = await store.run(id, async () => {
    try {
      return (await handler(eventOf(name, number), context)) ?? 'nothing';
    } catch (error) {
      return { thrown: String(error) };
    }
  });
  return { result, lines: written.get(id) ?? [] };
}

const report: Record<string, unknown> = {};
for (const name of FUNCTIONS) {
  const { handler } = (await import(join(bundles, `${name}.mjs`))) as { handler: Handler };
  const numbers = Array.from({ length: count }, (_, number) => number);
  const outcomes = [];
  if (how === 'one after another') {
    for (const number of numbers) outcomes.push(await invoke(handler, name, number));
  } else {
    outcomes.push(...(await Promise.all(numbers.map((number) => invoke(handler, name, number)))));
  }
  report[name] = {
    outcomes: outcomes.map(({ result, lines }) => ({
      result: canonical(result),
      lines: lines.map((line) => canonical(parsed(line))).toSorted(),
    })),
    requests: aws.requests.splice(0).map(canonical).toSorted(),
  };
}
report.nobody = (written.get('nobody') ?? []).map((line) => canonical(parsed(line)));
await aws.close();
// A port of its own each time.
write(`${JSON.stringify(report).replaceAll(aws.endpoint, 'http://aws')}\n`, () => process.exit(0));

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return line;
  }
}
