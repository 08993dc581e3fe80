import { KEPT_MS } from '../../../../functions/adapters/http/keep-alive.ts';
import { type Ground, shardsFor, tracesOf } from '../ground.ts';
import { type MeasuredCourse, usedByOne } from '../measured/measured.ts';
import {
  eventsPerMonth,
  MONTH_SECONDS,
  messagesPerMonth,
  sumOf,
  type Traffic,
  times,
  type Usage,
} from '../usage.ts';

/** That SQS bills as a request. */
const CHUNK_BYTES = 64 * 1_024;
/** Records in a batch of a queue, and in a call to one. */
const FULL = 10;
/** A message beside its body. */
const ENVELOPE_BYTES = 700;

/** What match does of all events. */
export function matching(traffic: Traffic, ground: Ground): Usage {
  const size = ground.batches.match;
  const messages = size * traffic.subscriptions;
  const calls = Math.max(1, messages / FULL);
  const chunks = Math.max(1, (Math.min(messages, FULL) * bytesOf(traffic)) / CHUNK_BYTES);
  // The figures have one message for each event, and so one call for each batch.
  const more = { fifoRequest: calls * chunks - 1 };
  return ofFunction('match', eventsPerMonth(traffic) / size, size, ground, more);
}

/** What deliver does of messages that are taken at their first attempt. */
export function attempting(messages: number, traffic: Traffic, ground: Ground): Usage {
  const size = ground.batches.deliver;
  const more = {
    ...waiting(traffic, ground),
    fifoRequest: Math.max(0, (size * bytesOf(traffic)) / CHUNK_BYTES - 1),
    writeUnit: size * moreUnits(ground.measured.courses.full, traffic, ground),
  };
  return ofFunction('deliver', messages / size, size, ground, more);
}

/** What the statistics worker does with them. */
export function countingStatistics(messages: number, traffic: Traffic, ground: Ground): Usage {
  const { batchSize, windowSeconds, batchesAtATime } = ground.statistics;
  const perSecond = messages / MONTH_SECONDS / shardsFor(messages, ground) / batchesAtATime;
  const size = Math.min(batchSize, Math.max(1, perSecond * windowSeconds));
  // One write for each subscription of a batch; the figures are of one.
  const more = { writeUnit: Math.min(size, traffic.partners) - 1 };
  return ofFunction('statistics', messages / size, size, ground, more);
}

/**
 * All that messages take whose first attempt fails, each step alone in its batch, but match: it has done all
 * of them.
 */
export function failing(messages: number, traffic: Traffic, ground: Ground): Usage {
  const course = ground.measured.courses.parked;
  const { match: _, ...functions } = course.functions;
  return sumOf([
    { writeUnit: messages * moreUnits(course, traffic, ground) },
    ...Object.entries(functions).map(([name, one]) => {
      const invocations = (messages * one.invocations) / course.deliveries;
      return sumOf([
        times(invocations, usedByOne(one)),
        times(invocations, name === 'deliver' ? waiting(traffic, ground) : {}),
        tracesOf(ground.functions.get(name), invocations),
      ]);
    }),
  ]);
}

function bytesOf({ bodyBytes }: Traffic): number {
  return bodyBytes + ENVELOPE_BYTES;
}

/** Lambda bills while a partner is waited for: so much more, or less, than when it was measured. */
function waiting({ partnerMs }: Traffic, { measured, functions }: Ground): Usage {
  const memoryGb = functions.get('deliver')?.memoryGb ?? 0;
  return { lambdaGbSecond: ((partnerMs - measured.partnerMs) / 1_000) * memoryGb };
}

/** That DynamoDB bills as stored beside what is written. Source: its pricing page, "Data storage". */
const STORED_OVERHEAD_BYTES = 100;

/** Additional write units of the history for a body larger than the measured one: one per started KB. */
function moreUnits(course: MeasuredCourse, { bodyBytes }: Traffic, { measured }: Ground): number {
  const beside = course.storedBytes - STORED_OVERHEAD_BYTES - measured.bodyBytes;
  const units = (bytes: number) => Math.ceil((beside + bytes) / 1_024);
  return course.historyUnits * (units(bodyBytes) / units(measured.bodyBytes) - 1);
}

/** What invocations with a number of records use, interpolated between one record and a full batch, as measured. */
function ofFunction(
  name: string,
  invocations: number,
  size: number,
  { measured, functions }: Ground,
  more: Usage,
): Usage {
  const { alone, full } = measured.courses;
  const [one, many] = [alone.functions[name], full.functions[name]];
  const share = many === undefined ? 0 : (size - 1) / (many.records / many.invocations - 1);
  const used = sumOf([
    times(invocations * (1 - share), usedByOne(one)),
    times(invocations * share, usedByOne(many)),
    times(invocations, more),
  ]);
  return sumOf([used, tracesOf(functions.get(name), invocations)]);
}

/** A resumed TLS 1.3 handshake, measured on 2026-11-27. Bytes without headers of IP and TCP. */
const HANDSHAKE = { seconds: 0.0024, bytesOut: 1_985, bytesIn: 1_368 };

/**
 * Handshakes with partners, which do not say how long they keep an idle connection. Each environment of
 * deliver has connections of its own, and meets each busy partner at random instants. The two round trips
 * that one takes depend on the partner, as `partnerMs` does.
 */
export function connecting(traffic: Traffic, ground: Ground): Usage {
  const messages = messagesPerMonth(traffic);
  const memoryGb = ground.functions.get('deliver')?.memoryGb ?? 0;
  const { lambdaGbSecond = 0 } = attempting(messages, traffic, ground);
  const environments = Math.max(1, lambdaGbSecond / memoryGb / MONTH_SECONDS);
  const meetingsASecond = messages / MONTH_SECONDS / (traffic.partners * environments);
  const handshakes = messages * Math.exp((-meetingsASecond * KEPT_MS.untold) / 1_000);
  return {
    lambdaGbSecond: handshakes * HANDSHAKE.seconds * memoryGb,
    sentGigabyte: (handshakes * HANDSHAKE.bytesOut) / 1e9,
    ...(ground.hasNat ? { natGigabyte: (handshakes * (HANDSHAKE.bytesOut + HANDSHAKE.bytesIn)) / 1e9 } : {}),
  };
}
