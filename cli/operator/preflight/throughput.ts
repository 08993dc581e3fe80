import { readFileSync } from 'node:fs';
import path from 'node:path';
import { PROJECT } from '../../../lib/project-paths.ts';
import { type Check, failed, ok, warning } from '../doctor/check.ts';
import type { PlannedStage } from './expected-stage.ts';

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

/** In the order of the columns of docs/regions.md. */
const QUOTAS = [
  { of: 'calls of PutEvents', code: 'L-9B653E91' },
  { of: 'invocations of targets', code: 'L-5540C5E3' },
] as const;

/**
 * Whether EventBridge in the region takes the planned load by default. A publisher makes a call for each
 * event, and each event matches one rule. Beyond the first quota publishers get errors, beyond the second
 * events come late.
 */
export const busThroughput: Check<PlannedStage> = {
  name: 'bus-throughput',
  async run({ region, eventsPerSecond }) {
    const limits = limitsOf(region, 'What EventBridge takes');
    const quotas = QUOTAS.map((quota, column) => ({ ...quota, limit: limits[column] ?? 0 }));
    const seen = `EventBridge in ${region} takes ${quotas.map(({ limit, of }) => `${limit} ${of}`).join(' and ')} in a second, for ${eventsPerSecond} events`;
    const asked = quotas
      .filter(({ limit }) => limit < 2 * eventsPerSecond)
      .map(({ code }) => {
        const about = `--service-code events --quota-code ${code} --region ${region}`;
        return `Ask for more, unless you have it (aws service-quotas get-service-quota ${about}): aws service-quotas request-service-quota-increase --desired-value ${2 * eventsPerSecond} ${about}`;
      });
    if (quotas.some(({ limit }) => limit < eventsPerSecond)) {
      return failed(
        seen,
        ...asked,
        'Or publish straight into the queue (docs/publishing.md), or take another region.',
      );
    }
    return asked.length > 0 ? warning(`${seen}: little is left for a peak`, ...asked) : ok(seen);
  },
};

const PAGE = path.join(PROJECT, 'docs/regions.md');

/** Any region that the page does not name. */
const ELSEWHERE = 'any other';

/** The numbers of each region in the table of a section of docs/regions.md; its other regions included. */
export function documentedLimits(section: string): ReadonlyMap<string, readonly number[]> {
  const text = readFileSync(PAGE, 'utf8').split(`\n## ${section}\n`)[1]?.split('\n## ')[0] ?? '';
  const rows = [...text.matchAll(/^\| (.+?) +\| ([\d, |]+) +\|$/gm)];
  return new Map(
    rows.flatMap(([, regions = '', numbers = '']) =>
      regions
        .split(', ')
        .map(
          (region) =>
            [
              region.replaceAll('`', ''),
              numbers.split('|').map((number) => Number(number.replaceAll(',', ''))),
            ] as const,
        ),
    ),
  );
}

function limitsOf(region: string, section: string): readonly number[] {
  const known = documentedLimits(section);
  return known.get(region) ?? known.get(ELSEWHERE) ?? [];
}
