import type { SQSRecord } from 'aws-lambda';
import { deliver } from '../../../functions/pipeline/deliver/deliver.ts';
import { readDeliveries } from '../../../functions/pipeline/deliver/read-deliveries.ts';
import { match } from '../../../functions/pipeline/match/match.ts';
import { sweep } from '../../../functions/pipeline/sweep/sweep.ts';
import { readTimers } from '../../../functions/pipeline/wake/read-timers.ts';
import { wake } from '../../../functions/pipeline/wake/wake.ts';
import { deliverPorts } from './deliver-ports.ts';
import type { Environment } from './function-mapping.ts';
import type { SentRecord } from './group-queue.ts';
import { matchPorts } from './match-ports.ts';
import type { Shore } from './shore.ts';
import { sweepPorts } from './sweep-ports.ts';
import { wakePorts } from './wake-ports.ts';

/** The real workers, as their handlers call them. */
export const WORKERS = {
  match: (records: readonly SentRecord[], shore: Shore) =>
    match(
      records.map(({ id, group, body, sentAtMs, sequenceNumber, receiveCount }) => ({
        recordId: id,
        group,
        body,
        admittedAtMs: Math.round(sentAtMs),
        orderNumber: sequenceNumber,
        receiveCount,
      })),
      matchPorts(shore),
    ),
  deliver: (records: readonly SentRecord[], shore: Shore, environment: Environment) =>
    deliver(
      readDeliveries(records.map(sqsRecordOf)).incoming,
      deliverPorts(shore, environment),
      shore.policy,
    ),
  wake: (records: readonly SentRecord[], shore: Shore) =>
    wake(readTimers(records.map(sqsRecordOf)).fired, wakePorts(shore), shore.policy),
  sweep: (shore: Shore) => sweep(sweepPorts(shore), shore.policy),
};

/** Only what the handlers read of it. */
function sqsRecordOf({ id, body, group, receiveCount }: SentRecord): SQSRecord {
  return {
    messageId: id,
    receiptHandle: id,
    body,
    attributes: { MessageGroupId: group, ApproximateReceiveCount: String(receiveCount) },
  } as SQSRecord;
}
