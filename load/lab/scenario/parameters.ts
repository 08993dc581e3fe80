import * as z from 'zod';
import { numberWithin, wholeNumberWithin as whole } from '../../../cli/terminal/option-kinds.ts';

const MAX_MS = 900_000;

/**
 * Receiver delay in ms: `100`, a range `100-2000`, or a list that endpoints take in turn: `100,2000,50-80`.
 */
const delaySchema = z
  .string()
  .regex(
    /^\d{1,6}(-\d{1,6})?(,\d{1,6}(-\d{1,6})?)*$/,
    'must be milliseconds such as 100, a range such as 100-2000, or a list of them',
  )
  .refine(
    (text) => text.split(',').every((part) => isAscending(part.split('-').map(Number))),
    `ranges must ascend and end at ${MAX_MS} at most`,
  );

function isAscending([min = 0, max = min]: readonly number[]): boolean {
  return min <= max && max <= MAX_MS;
}

/** Every parameter a scenario can have. A scenario takes those it names. */
export const PARAMETERS = {
  rate: { help: 'payments started per second', schema: numberWithin(0.01, 5_000) },
  second_rate: { help: 'the rate of the second half', schema: numberWithin(0.01, 5_000) },
  duration: { help: 'seconds of sending', schema: whole(1, 172_800) },
  services: { help: 'number of services, each a partner', schema: whole(1, 100) },
  subscriptions_per_service: {
    help: 'subscriptions per service; each receives all its events',
    schema: whole(1, 20),
  },
  events_per_payment: { help: 'events per payment, sent one after another', schema: whole(1, 20) },
  body_bytes: { help: 'size of the resource in each event; 0: unpadded', schema: whole(0, 250_000) },
  delay_ms: { help: 'receiver delay: 100, 100-2000, or a list by endpoint', schema: delaySchema },
  timeout_ms: { help: 'timeout of an attempt', schema: whole(1_000, 30_000) },
  failure_status: { help: 'status of failed attempts', schema: whole(300, 599) },
  baseline: {
    help: 'seconds without trouble first, measured separately',
    schema: whole(0, 3_600),
  },
  failing: { help: 'number of partners that fail', schema: whole(1, 100) },
  outage_after: { help: 'seconds of sending before the outage', schema: whole(0, 172_800) },
  outage_seconds: { help: 'seconds that the outage lasts', schema: whole(1, 172_800) },
  rate_limit: {
    help: 'rate limit of the limited partner, attempts per second; 0: none',
    schema: whole(0, 100),
  },
  eased_rate_limit: { help: 'its rate limit after all events are sent', schema: whole(0, 100) },
  concurrency: { help: 'payments in progress at a time', schema: whole(1, 10_000) },
  store_delay_ms: { help: 'delay of each call to DynamoDB', schema: whole(0, 1_000) },
  warm_up: { help: 'seconds of warm-up at twice the rate', schema: whole(0, 600) },
  warm_workers: {
    help: 'workers of deliver to start before the warm-up; 0: as many as it needs',
    schema: whole(0, 500),
  },
  patience: {
    help: 'seconds without progress after which the run is stuck',
    schema: whole(1, 86_400),
  },
} as const;

export type ParameterName = keyof typeof PARAMETERS;
export type Parameters = Readonly<Partial<Record<ParameterName, number | string>>>;

export function isParameter(name: string): name is ParameterName {
  return Object.hasOwn(PARAMETERS, name);
}

/** The option of a parameter: `--delay-ms`. */
export function optionOf(name: string): string {
  return `--${name.replaceAll('_', '-')}`;
}

/** The delay of one endpoint, in the form of the receiver's settings. */
export function delayOf(text: string, endpoint: number): number | [number, number] {
  const parts = text.split(',');
  const [min = 0, max] = (parts[endpoint % parts.length] ?? '').split('-').map(Number);
  return max === undefined ? min : [min, max];
}
