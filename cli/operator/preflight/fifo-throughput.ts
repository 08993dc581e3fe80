import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type Check, failed, ok, warning } from '../doctor/check.ts';
import type { PlannedStage } from './planned-stage.ts';

const PAGE = path.resolve(import.meta.dirname, '../../../docs/regions.md');

/** Any region that the page does not name. */
const ELSEWHERE = 'any other';

/** Calls of each kind that a FIFO queue takes a second, by region. Documented, but no API returns it. */
export function fifoCallsPerSecond(): ReadonlyMap<string, number> {
  const section =
    readFileSync(PAGE, 'utf8').split('\n## What a FIFO queue takes\n')[1]?.split('\n## ')[0] ?? '';
  const rows = [...section.matchAll(/^\| (.+?) +\| ([\d,]+) +\|$/gm)];
  return new Map(
    rows.flatMap(([, regions = '', calls = '']) =>
      regions
        .split(', ')
        .map((region) => [region.replaceAll('`', ''), Number(calls.replaceAll(',', ''))] as const),
    ),
  );
}

/** Whether a FIFO queue of the region takes the planned load. EventBridge makes a call for each event. */
export const fifoThroughput: Check<PlannedStage> = {
  name: 'fifo-throughput',
  async run({ region, eventsPerSecond }) {
    const known = fifoCallsPerSecond();
    const calls = known.get(region) ?? known.get(ELSEWHERE) ?? 0;
    const seen = `a FIFO queue in ${region} takes ${calls} calls of each kind in a second, for ${eventsPerSecond} events`;
    const todo =
      'Ask for more: Service Quotas or the Support Center, Amazon SQS, FIFO high throughput; or take another region (docs/regions.md).';
    if (calls < eventsPerSecond) {
      return failed(seen, todo);
    }
    return calls < 2 * eventsPerSecond ? warning(`${seen}: little is left for a peak`, todo) : ok(seen);
  },
};
