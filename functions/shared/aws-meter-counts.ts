import type { MeteredLine, MeteredStep } from './aws-meter-line.ts';
import { add, type Usage } from './aws-meter-usage.ts';

/** What one invocation has used so far. */
export function counts() {
  return {
    calls: {} as Record<string, number>,
    failed_calls: 0,
    queue_requests: {} as Record<string, number>,
    events: 0,
    write_units: {} as Record<string, number>,
    read_units: {} as Record<string, number>,
    steps: [] as MeteredStep[],
  };
}

export function addUsage(to: ReturnType<typeof counts>, usage: Usage): void {
  for (const kind of ['queue_requests', 'write_units', 'read_units'] as const) {
    for (const [name, units] of Object.entries(usage[kind])) {
      add(to[kind], name, units);
    }
  }
  to.events += usage.events;
}

/** How much a function was invoked with. */
export function sizeOf(event: unknown): Pick<MeteredLine, 'records' | 'record_size'> {
  const { Records = [] } = (event ?? {}) as { Records?: readonly { readonly body?: string }[] };
  return {
    records: Records.length,
    record_size: Records.reduce((sum, { body = '' }) => sum + body.length, 0),
  };
}
