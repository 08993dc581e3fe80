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

/** The parts of a queue's or stream's record that show its size and its service. */
interface MeasuredRecord {
  readonly body?: string;
  readonly dynamodb?: { readonly NewImage?: { readonly service_id?: { readonly S?: string } } };
}

/** The size of the event of an invocation, and its services. */
export function sizeOf(event: unknown): Pick<MeteredLine, 'records' | 'record_size' | 'services'> {
  const { Records = [] } = (event ?? {}) as { Records?: readonly MeasuredRecord[] };
  const services: Record<string, number> = {};
  for (const service of Records.flatMap((record) => serviceOf(record) ?? [])) {
    add(services, service, 1);
  }
  return {
    records: Records.length,
    record_size: Records.reduce((sum, { body = '' }) => sum + body.length, 0),
    ...(Object.keys(services).length === 0 ? {} : { services }),
  };
}

/** Searched for instead of parsed, because a body may be large and comes after it. */
const SERVICE = /"service_id"\s*:\s*"([^"\\]+)"/;

function serviceOf({ body, dynamodb }: MeasuredRecord): string | undefined {
  return body === undefined ? dynamodb?.NewImage?.service_id?.S : SERVICE.exec(body)?.[1];
}
