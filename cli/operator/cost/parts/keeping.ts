import { type Ground, shardsFor, tracesOf } from '../ground.ts';
import type { MeasuredCourse } from '../measured/measured.ts';
import { MONTH_SECONDS, monthsOf, sumOf, type Traffic, type Usage } from '../usage.ts';

const GIGABYTE = 1e9;

/** What the history holds of a month's messages, once its retention has passed. */
export function storing(messages: number, course: MeasuredCourse, traffic: Traffic, ground: Ground): Usage {
  const months = monthsOf(ground.retentionDays);
  const table = course.storedBytes - ground.measured.bodyBytes + traffic.bodyBytes;
  const gigabytes = (bytes: number) => (messages * months * bytes) / GIGABYTE;
  return {
    storedGigabyteMonth: gigabytes(table + course.indexedBytes),
    ...(ground.isRecoverable ? { recoveryGigabyteMonth: gigabytes(table) } : {}),
  };
}

/** Log lines once they are written, compressed. */
export function keptLogs(
  { logGigabyte = 0 }: Usage,
  { measured, logDays }: Pick<Ground, 'measured' | 'logDays'>,
): Usage {
  return { keptLogGigabyteMonth: logGigabyte * measured.courses.full.logGzipShare * monthsOf(logDays) };
}

/** Of docs/archive.md: what a batch and a message take. */
const ARCHIVED = { changesInBatch: 3_000, filesOfBatch: 2, windowSeconds: 300, ms: 0.31, bytes: 155 };

/** What the archive takes of the messages of a month, where there is one. */
export function archiving(messages: number, ground: Ground): Usage {
  const archive = ground.functions.get('archive');
  if (ground.archiveDays === undefined || archive === undefined) {
    return {};
  }
  const windows = (MONTH_SECONDS / ARCHIVED.windowSeconds) * shardsFor(messages, ground);
  const batches = Math.max(Math.min(messages, windows), messages / ARCHIVED.changesInBatch);
  return sumOf([
    {
      s3Put: batches * ARCHIVED.filesOfBatch,
      lambdaRequest: batches,
      lambdaGbSecond: (messages * ARCHIVED.ms * archive.memoryGb) / 1_000,
      s3GigabyteMonth: (messages * ARCHIVED.bytes * monthsOf(ground.archiveDays)) / GIGABYTE,
    },
    tracesOf(archive, batches),
  ]);
}

/** Of docs/operations.md: what a webhook of 1 KB has go through a NAT gateway, connections kept open. */
const NAT_BYTES = 2_300;

/** What leaves for partners. */
export function sending(messages: number, course: MeasuredCourse, traffic: Traffic, ground: Ground): Usage {
  const more = traffic.bodyBytes - ground.measured.bodyBytes;
  return {
    sentGigabyte: (messages * (course.egressBytes + more)) / GIGABYTE,
    ...(ground.hasNat ? { natGigabyte: (messages * (NAT_BYTES + more)) / GIGABYTE } : {}),
  };
}
