/** Set to `on` by the stages that have the load lab; anywhere else nothing is counted, and nothing of it runs. */
export const METER_VARIABLE = 'AWS_METER';

/** What a stage sets in each function. */
export function meterVariables({ loadLab }: { readonly loadLab: boolean }): Record<string, string> {
  return loadLab ? { [METER_VARIABLE]: 'on' } : {};
}

/** The log code of the line that each metered invocation ends with. */
export const METERED = 'invocation.metered';

/** One call, tries that the SDK repeated included. `at_ms` counts from the start of the handler. */
export interface MeteredStep {
  /** `dynamodb:BatchGetItem`, or what the function calls something that is not of AWS. */
  readonly call: string;
  readonly at_ms: number;
  readonly took_ms: number;
}

/**
 * What one invocation has used. Tables and queues are called as in the function's environment (`HISTORY_TABLE`), an index is
 * `HISTORY_TABLE.by_payment`.
 */
export interface MeteredLine {
  /** 1 for the first one of a worker, the cold one. */
  readonly invocation: number;
  /** That it was invoked with; 0 where there are none. */
  readonly records: number;
  /** Of their bodies, in characters. */
  readonly record_size: number;
  /** How many of its records were of which service; absent where no record names one. */
  readonly services?: Readonly<Record<string, number>>;
  readonly memory_mib: number;
  /** From the start of the handler to its end. */
  readonly duration_ms: number;
  /** User and system, of the whole process, in that time; shared equally with those that were under way beside it. */
  readonly cpu_ms: number;
  /** The 99th percentile of the invocation; sampled each 20 ms, so a short one may have none. */
  readonly event_loop_delay_ms: number;
  /** Collections told of in that time. */
  readonly gc_ms: number;
  /** Of the first invocation: from the end of Node's own start to the handler being there, and all CPU up to then. */
  readonly init_ms?: number;
  readonly init_cpu_ms?: number;
  /** Tries, by kind. */
  readonly calls: Readonly<Record<string, number>>;
  readonly failed_calls?: number;
  /** Requests as SQS bills them, a 64 KB chunk each, by queue. */
  readonly queue_requests: Readonly<Record<string, number>>;
  /** Events as EventBridge bills them, a 64 KB chunk each. */
  readonly events: number;
  readonly write_units: Readonly<Record<string, number>>;
  readonly read_units: Readonly<Record<string, number>>;
  /** In order of their start; only of an invocation with one record, where they tell the course of one delivery. */
  readonly steps?: readonly MeteredStep[];
}
