import { type Check, failed, ok, warning } from '../doctor/check.ts';
import type { PlannedStage } from './planned-stage.ts';

/** Of each mapping, and no more. Source: "Lambda Managed Instances quotas", AWS Lambda Developer Guide. */
const BYTES_PER_SECOND = 5_000_000;

/** A payment of 1 KB as match gets it, with what SQS tells of it. */
const USUAL_RECORD_BYTES = 2_000;

/** Whether the mappings of managed instances take the planned load. Lambda documents no such limit. */
export const mappingThroughput: Check<PlannedStage> = {
  name: 'mapping-throughput',
  async run({ settings: { compute }, eventsPerSecond }) {
    if (compute !== 'managed-instances') {
      return ok('match and deliver run on Lambda');
    }
    const bytes = Math.floor(BYTES_PER_SECOND / eventsPerSecond);
    const seen = `a mapping of managed instances takes 5 MB a second: ${bytes} bytes for each event`;
    const todo =
      "It cannot be raised. With larger payments, or more of them, stay on Lambda: compute: 'lambda'.";
    if (bytes < USUAL_RECORD_BYTES) {
      return failed(seen, todo);
    }
    return bytes < 2 * USUAL_RECORD_BYTES ? warning(`${seen}; a payment of 1 KB takes 2000`, todo) : ok(seen);
  },
};
