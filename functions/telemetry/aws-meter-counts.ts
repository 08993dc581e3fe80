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

/** As much of a record of a queue or of the history's stream as tells how large it is and whose. */
interface Told {
  readonly body?: string;
  readonly dynamodb?: { readonly NewImage?: { readonly service_id?: { readonly S?: string } } };
}

/** How much a function was invoked with, and for whom. */
export function sizeOf(event: unknown): Pick<MeteredLine, 'records' | 'record_size' | 'services'> {
  const { Records = [] } = (event ?? {}) as { Records?: readonly Told[] };
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

/** Looked for and not parsed: a body may be large, and stands after it. */
const SERVICE = /"service_id"\s*:\s*"([^"\\]+)"/;

function serviceOf({ body, dynamodb }: Told): string | undefined {
  return body === undefined ? dynamodb?.NewImage?.service_id?.S : SERVICE.exec(body)?.[1];
}
