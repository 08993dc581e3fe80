/** Set to `on` on stages with the load lab. Everywhere else the meter does not run. */
export const METER_VARIABLE = 'AWS_METER';

/** The environment variables that a stage sets in each function. */
export function meterVariables({ loadLab }: { readonly loadLab: boolean }): Record<string, string> {
  return loadLab ? { [METER_VARIABLE]: 'on' } : {};
}

/** The log code of the last entry of each metered invocation. */
export const METERED = 'invocation.metered';

/** One call, including the SDK's retries. `at_ms` counts from the start of the handler. */
export interface MeteredStep {
  /** `dynamodb:BatchGetItem`, or the function's own name for a call outside AWS. */
  readonly call: string;
  readonly at_ms: number;
  readonly took_ms: number;
}

/**
 * What one invocation has used. Tables and queues appear under their environment variables (`HISTORY_TABLE`),
 * an index as `HISTORY_TABLE.by_subscription`.
 */
export interface MeteredLine {
  /** 1 for the first invocation of an environment, the cold start. */
  readonly invocation: number;
  /** The number of records in the event; 0 if it has none. */
  readonly records: number;
  /** The size of their bodies, in characters. */
  readonly record_size: number;
  /** The number of records by service; absent if no record names one. */
  readonly services?: Readonly<Record<string, number>>;
  readonly memory_mib: number;
  /** From the start of the handler to its end. */
  readonly duration_ms: number;
  /** User and system time of the process, divided equally among concurrent invocations. */
  readonly cpu_ms: number;
  /** The 99th percentile during the invocation. Sampled every 20 ms, so a short invocation may have none. */
  readonly event_loop_delay_ms: number;
  /** Garbage collections reported during the invocation. */
  readonly gc_ms: number;
  /** Only for the first invocation: from Node's bootstrap to the loaded handler, and all CPU so far. */
  readonly init_ms?: number;
  readonly init_cpu_ms?: number;
  /** Calls by kind, including the SDK's retries. */
  readonly calls: Readonly<Record<string, number>>;
  readonly failed_calls?: number;
  /** Requests as SQS bills them, one per 64 KB chunk, by queue. */
  readonly queue_requests: Readonly<Record<string, number>>;
  /** Events as EventBridge bills them, one per 64 KB chunk. */
  readonly events: number;
  readonly write_units: Readonly<Record<string, number>>;
  readonly read_units: Readonly<Record<string, number>>;
  /** In order of their start. Only with one record, where they show the course of one delivery. */
  readonly steps?: readonly MeteredStep[];
}
