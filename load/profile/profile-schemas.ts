import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import path from 'node:path';
import { offSchema } from '../../functions/core/catalogue/schema-check.ts';
import { refusedBy } from '../../functions/core/filter/evaluate.ts';
import { projected } from '../../functions/core/filter/fields.ts';
import { filteredEvent } from '../../functions/core/filter/filtered-event.ts';
import { readIntake } from '../../functions/pipeline/match/read-intake.ts';
import { schemaChecksBeside } from '../../functions/runtime/schema-checks.ts';
import { writeSchemas } from '../../lib/events/compiled-schemas.ts';
import { EventCatalogue } from '../../lib/events/event-catalogue.ts';
import { intake, paymentEvent } from '../../test/support/builders.ts';
import { paymentResource } from './stand-ins/payment-resource.ts';

const TYPE = 'card_payment_captured';
const EVENTS = 2_000;
/** As a route has it. */
const FILTER = '{"resource":{"amount":[{"numeric":[">",0]}],"state":{"status":[{"anything-but":"failed"}]}}}';

/**
 * What it costs `match` to check the resource of an event, 1 KB, by the schema of its type, to look at it with a
 * subscription's filter, and to cut it to a subscription's fields, beside reading the event: less than two readings differ by, so it is measured alone.
 */
export function profileSchemas(seconds: number): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'payhooks-profile-'));
  const { catalogue } = EventCatalogue.govUkPay();
  writeSchemas(folder, catalogue.types);
  const schema = schemaChecksBeside(folder, catalogue, 'mark')?.of(TYPE);
  const resource = paymentResource('pay-1', 1);
  const body = JSON.stringify({ ...paymentEvent({ event_type: TYPE }), resource });
  const rounds = { read: [] as number[], fits: [] as number[], misfits: [] as number[] };
  const [filtered, cut]: [number[], number[]] = [[], []];
  const text = JSON.stringify(resource);
  const event = { ...paymentEvent(), event_type: TYPE } as unknown as Parameters<typeof filteredEvent>[0];
  const endsAtMs = Date.now() + seconds * 1_000;
  do {
    rounds.read.push(cpuOf(() => readIntake(intake(body), { catalogue })));
    rounds.fits.push(cpuOf(() => offSchema(resource, schema)));
    rounds.misfits.push(cpuOf(() => offSchema({ ...resource, amount: 'ten' }, schema)));
    filtered.push(cpuOf(() => refusedBy(JSON.parse(FILTER), filteredEvent(event, text))));
    cut.push(cpuOf(() => projected(text, ['/amount', '/state/status'])));
  } while (Date.now() < endsAtMs);
  rmSync(folder, { recursive: true });
  const line = (what: string, values: readonly number[]) =>
    `  ${what.padEnd(28)}${medianOf(values).toFixed(1).padStart(6)} µs`;
  return `CPU for an event of 1 KB, median of ${rounds.read.length} rounds of ${EVENTS} on ${cpus()[0]?.model.trim()}:
${line('reading it', rounds.read)}
${line('checking it: it fits', rounds.fits)}
${line('checking it: it does not', rounds.misfits)}
${line('a filter that takes it', filtered)}
${line('cutting it to two fields', cut)}
`;
}

/** Of each call, in microseconds. */
export function cpuOf(act: () => unknown): number {
  const before = process.cpuUsage();
  for (let count = 0; count < EVENTS; count += 1) {
    act();
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / EVENTS;
}

export function medianOf(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}
