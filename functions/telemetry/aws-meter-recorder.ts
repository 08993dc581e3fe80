import { AsyncLocalStorage } from 'node:async_hooks';
import { addUsage, counts, sizeOf } from './aws-meter-counts.ts';
import type { MeteredLine } from './aws-meter-line.ts';
import { add, type Usage, usageOf } from './aws-meter-usage.ts';
import type { WorkMeter } from './aws-meter-work.ts';

/** The part of an AWS SDK client that is needed to count its calls. */
interface Countable {
  readonly middlewareStack: {
    // biome-ignore lint/suspicious/noExplicitAny: each client has its own types here, and none of them is used.
    add(middleware: any, options: { readonly step: 'initialize'; readonly name: string }): void;
  };
}

interface Context {
  readonly clientName?: string;
  readonly commandName?: string;
}

interface Args {
  readonly input: object;
}

interface Answer {
  readonly output: object;
}

interface Given {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly work: WorkMeter;
  /** In ms, from any origin. */
  readonly now: () => number;
  readonly write: (line: MeteredLine) => void;
}

/** An invocation under way. */
interface Metering {
  readonly used: ReturnType<typeof counts>;
  readonly startedAtMs: number;
}

/** Steps show the course of one delivery; those of a larger batch would only be long. */
const RECORDS_WITH_STEPS = 1;

/** Measures the AWS calls and the work of a function, and writes one log entry per invocation. */
export function awsMeter({ env, work, now, write }: Given) {
  // The SDK does not say for which invocation it makes a call, and all concurrent ones share a client.
  const underWay = new AsyncLocalStorage<Metering>();
  let invocation = 0;
  // Read once, because each access to `process.env` leaves JavaScript.
  const names = new Map(Object.entries(env).map(([name, value]) => [value, name]));
  const nameOf = (resource: string) => names.get(resource) ?? resource;

  function step({ used, startedAtMs }: Metering, call: string, beganAtMs: number): void {
    const took_ms = rounded(now() - beganAtMs);
    used.steps.push({ call, at_ms: rounded(beganAtMs - startedAtMs), took_ms });
  }

  function took(call: string, beganAtMs: number, tries: number, usage?: Usage): void {
    const metering = underWay.getStore();
    if (metering === undefined) {
      return;
    }
    add(metering.used.calls, call, tries);
    step(metering, call, beganAtMs);
    if (usage === undefined) {
      metering.used.failed_calls += 1;
      return;
    }
    addUsage(metering.used, usage);
  }

  const middleware =
    (next: (args: Args) => Promise<Answer>, { clientName = '', commandName = '' }: Context) =>
    async (args: Args): Promise<Answer> => {
      const service = clientName.replace(/Client$/, '').toLowerCase();
      const operation = commandName.replace(/Command$/, '');
      const asked =
        service === 'dynamodb'
          ? { ...args, input: { ...args.input, ReturnConsumedCapacity: 'INDEXES' } }
          : args;
      const call = `${service}:${operation}`;
      const beganAtMs = now();
      try {
        const answer = await next(asked);
        took(
          call,
          beganAtMs,
          triesOf(answer.output),
          usageOf(service, operation, args.input, answer.output, nameOf),
        );
        return answer;
      } catch (error) {
        took(call, beganAtMs, triesOf(error));
        throw error;
      }
    };

  return {
    /** Counts all calls of a client. The capacity units of a failed call are unknown. */
    meteredClient<Client extends Countable>(client: Client): Client {
      client.middlewareStack.add(middleware, { step: 'initialize', name: 'awsMeter' });
      return client;
    },

    /** Adds a call outside AWS to the steps, without counting it as an AWS call. */
    meteredCall<Given extends unknown[], Result>(name: string, call: (...given: Given) => Promise<Result>) {
      return async (...given: Given): Promise<Result> => {
        const beganAtMs = now();
        try {
          return await call(...given);
        } finally {
          const metering = underWay.getStore();
          if (metering !== undefined) {
            step(metering, name, beganAtMs);
          }
        }
      };
    },

    /** Wraps the handler: writes one log entry at the end of each invocation, failed or not. */
    metered<Given extends unknown[], Result>(handler: (...given: Given) => Promise<Result>) {
      const init = work.sinceStart();
      return async (...given: Given): Promise<Result> => {
        invocation += 1;
        const number = invocation;
        const ended = work.begin();
        const metering = { used: counts(), startedAtMs: now() };
        try {
          return await underWay.run(metering, () => handler(...given));
        } finally {
          const { steps, failed_calls, ...used } = metering.used;
          const duration_ms = rounded(now() - metering.startedAtMs);
          const worked = ended();
          // Last, so that the meter's own work is not counted as the function's.
          const size = sizeOf(given[0]);
          write({
            invocation: number,
            ...size,
            memory_mib: Number(env.AWS_LAMBDA_FUNCTION_MEMORY_SIZE ?? 0),
            duration_ms,
            ...worked,
            ...(number === 1 ? init : {}),
            ...used,
            ...(failed_calls === 0 ? {} : { failed_calls }),
            ...(size.records === RECORDS_WITH_STEPS ? { steps } : {}),
          });
        }
      };
    },
  };
}

export type AwsMeter = Pick<ReturnType<typeof awsMeter>, 'meteredClient' | 'meteredCall' | 'metered'>;

function triesOf(answered: unknown): number {
  return (answered as { $metadata?: { attempts?: number } }).$metadata?.attempts ?? 1;
}

function rounded(ms: number): number {
  return Math.round(ms * 100) / 100;
}
