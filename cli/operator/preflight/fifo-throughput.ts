import { type Check, failed, ok, warning } from '../doctor/check.ts';
import { limitsOf } from './documented-limits.ts';
import type { PlannedStage } from './planned-stage.ts';

/**
 * Whether a FIFO queue of the region takes the planned load. EventBridge makes a call for each event. AWS
 * documents how many calls of each kind it takes, but no API returns it.
 */
export const fifoThroughput: Check<PlannedStage> = {
  name: 'fifo-throughput',
  async run({ region, eventsPerSecond }) {
    const [calls = 0] = limitsOf(region, 'What a FIFO queue takes');
    const seen = `a FIFO queue in ${region} takes ${calls} calls of each kind in a second, for ${eventsPerSecond} events`;
    const todo =
      'Ask for more: Service Quotas or the Support Center, Amazon SQS, FIFO high throughput; or take another region (docs/regions.md).';
    if (calls < eventsPerSecond) {
      return failed(seen, todo);
    }
    return calls < 2 * eventsPerSecond ? warning(`${seen}: little is left for a peak`, todo) : ok(seen);
  },
};
