import os from 'node:os';
import type { Measured, MeasuredCourse } from '../../cli/operator/cost/measured/measured.ts';
import { costOfUsed } from '../cost/bill.ts';
import { total, type Used } from '../cost/usage.ts';
import type { Measurement } from './courses.ts';
import { paymentResource } from './stand-ins/payment-resource.ts';

/** The file that `npm run ops -- cost` reads: what the functions use. */
export function figuresOf(
  courses: Readonly<Record<keyof Measured['courses'], Measurement>>,
  partnerMs: number,
): string {
  const { full, alone, parked, sweep } = courses;
  const measured: Measured = {
    command: 'npm run load -- profile cost --json',
    on: new Date().toISOString().slice(0, 10),
    machine: `${os.cpus().length} cores of ${os.cpus()[0]?.model ?? 'an unknown kind'}, emulator included, Node ${process.version}`,
    partnerMs,
    bodyBytes: Buffer.byteLength(JSON.stringify(paymentResource('profile_1a2b3c_1', 1))),
    courses: {
      full: tableOf(full),
      alone: tableOf(alone),
      parked: tableOf(parked),
      sweep: tableOf(sweep),
    },
  };
  return `${JSON.stringify(measured, undefined, 2)}\n`;
}

function tableOf(course: Measurement): MeasuredCourse {
  const { deliveries, used, byFunction, egressBytes, storedBytes, indexedBytes, logGzipShare } = course;
  const each = (amount: number) => short(amount / deliveries);
  return {
    deliveries,
    perMillion: costOfUsed(used, deliveries).per_million,
    egressBytes: each(egressBytes),
    storedBytes: each(storedBytes),
    indexedBytes: each(indexedBytes),
    historyUnits: each(used.writeUnits.HISTORY_TABLE ?? 0),
    logGzipShare: short(logGzipShare),
    functions: Object.fromEntries(
      Object.entries(byFunction).map(([name, one]) => [
        name,
        { invocations: total(one.invocations), records: total(one.records), used: pricedOf(one) },
      ]),
    ),
  };
}

function pricedOf(used: Used): MeasuredCourse['functions'][string]['used'] {
  const amounts = {
    customEvent: short(total(used.events)),
    fifoRequest: short(total(used.fifoRequests)),
    standardRequest: short(total(used.standardRequests)),
    lambdaRequest: short(total(used.invocations)),
    lambdaGbSecond: short(total(used.gbSeconds)),
    writeUnit: short(total(used.writeUnits)),
    readUnit: short(total(used.readUnits)),
    logGigabyte: short(used.logBytes / 1e9),
  };
  return Object.fromEntries(Object.entries(amounts).filter(([, amount]) => amount !== 0));
}

/** Six significant digits. */
function short(amount: number): number {
  return Number(amount.toPrecision(6));
}
