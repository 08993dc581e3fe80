import { AsyncLocalStorage } from 'node:async_hooks';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

/**
 * The runtime of a function with concurrent invocations, as in Lambda Managed Instances. `side_by_side.py`
 * starts it and writes lines of JSON to stdin: the function first, then each invocation. Each gets a line on
 * stdout with its result and its log.
 */

interface Function {
  readonly code_dir: string;
  readonly module: string;
  readonly handler: string;
}

interface Invocation {
  readonly event: unknown;
  readonly request_id: string;
  readonly invoked_function_arn: string;
  readonly timeout_ms: number;
}

type Handler = (event: unknown, context: object) => unknown;

const out = process.stdout.write.bind(process.stdout);
const errors = process.stderr.write.bind(process.stderr);
// Managed Instances set this to tell libraries that invocations share a process.
process.env.AWS_LAMBDA_MAX_CONCURRENCY = process.env.SIDE_BY_SIDE_INVOCATIONS ?? '64';
const REQUEST_ID = Symbol.for('_AWS_LAMBDA_REQUEST_ID');
const contexts = new AsyncLocalStorage<Record<symbol, unknown>>();
const ofNobody = () => undefined;
/**
 * What Lambda's runtime knows about the current invocation, for Powertools and the SDK. Source:
 * `@aws/lambda-invoke-store` 0.3, which the runtime of Managed Instances has in each thread.
 */
const InvokeStore = {
  getContext: () => contexts.getStore(),
  hasContext: () => contexts.getStore() !== undefined,
  get: (key: symbol) => contexts.getStore()?.[key],
  set(key: symbol, value: unknown) {
    const context = contexts.getStore();
    if (context === undefined) throw new Error('No context available');
    context[key] = value;
  },
  getRequestId: () => String(contexts.getStore()?.[REQUEST_ID] ?? 'nobody'),
  getXRayTraceId: ofNobody,
  getTenantId: ofNobody,
  getTraceparent: ofNobody,
  getTracestate: ofNobody,
  getBaggage: ofNobody,
};
Reflect.set(globalThis, 'awslambda', { InvokeStore });
/** The log so far of each current invocation. */
const logs = new AsyncLocalStorage<string[]>();
const underWay = new Set<string[]>();
/** Lines of no invocation, logged at the start or after an answer. Sent with the next answer. */
let loose: string[] = [];

const collect = (chunk: string | Uint8Array, ...others: unknown[]) => {
  const own = logs.getStore();
  const lines = own !== undefined && underWay.has(own) ? own : loose;
  lines.push(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8'));
  const done = others.at(-1);
  if (typeof done === 'function') queueMicrotask(() => done());
  return true;
};
process.stdout.write = process.stderr.write = collect as typeof process.stdout.write;

// Lets whoever ends this process read the log of its invocations.
process.once('SIGTERM', () => {
  errors([...loose, ...[...underWay].flat()].join(''), () => process.exit(143));
});

let handler: Handler | undefined;

for await (const line of createInterface({ input: process.stdin, terminal: false })) {
  if (handler === undefined) {
    handler = await loaded(JSON.parse(line) as Function);
  } else {
    void answer(handler, JSON.parse(line) as Invocation);
  }
}

async function loaded({ code_dir, module, handler: name }: Function): Promise<Handler | undefined> {
  try {
    const exported = (await import(pathToFileURL(join(code_dir, `${module}.mjs`)).href)) as Record<
      string,
      Handler
    >;
    const found = exported[name];
    if (typeof found !== 'function') {
      throw new TypeError(`${module}.mjs exports no function ${name}`);
    }
    tell({ status: 'ready' });
    return found;
  } catch (error) {
    tell({ status: 'error', error: String(error) });
    return undefined;
  }
}

async function answer(handler: Handler, invocation: Invocation): Promise<void> {
  const { event, request_id, invoked_function_arn, timeout_ms } = invocation;
  const endsAt = Date.now() + timeout_ms;
  const context = {
    awsRequestId: request_id,
    invokedFunctionArn: invoked_function_arn,
    functionName: process.env.AWS_LAMBDA_FUNCTION_NAME,
    functionVersion: process.env.AWS_LAMBDA_FUNCTION_VERSION,
    memoryLimitInMB: process.env.AWS_LAMBDA_FUNCTION_MEMORY_SIZE,
    logStreamName: process.env.AWS_LAMBDA_LOG_STREAM_NAME,
    getRemainingTimeInMillis: () => Math.max(0, endsAt - Date.now()),
  };
  const lines = loose;
  loose = [];
  underWay.add(lines);
  const outcome = await logs.run(lines, () =>
    contexts.run({ [REQUEST_ID]: request_id }, () => outcomeOf(handler, event, context)),
  );
  underWay.delete(lines);
  tell({ ...outcome, request_id, log: lines.join('').trimEnd() });
}

async function outcomeOf(handler: Handler, event: unknown, context: object): Promise<object> {
  try {
    return { status: 'ok', result: await handler(event, context) };
  } catch (error) {
    const { message, stack } = error instanceof Error ? error : new Error(String(error));
    return { status: 'error', error: message, trace: stack };
  }
}

function tell(message: object): void {
  out(`${JSON.stringify(message)}\n`);
}
