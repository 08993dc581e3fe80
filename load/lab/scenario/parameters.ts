import * as z from 'zod';

const MAX_MS = 900_000;

/** How long receivers take, in ms: `100`, drawn from a range `100-2000`, or one of both for each endpoint in turn: `100,2000,50-80`. */
const delaySchema = z
  .string()
  .regex(
    /^\d{1,6}(-\d{1,6})?(,\d{1,6}(-\d{1,6})?)*$/,
    'must be ms as 100, a range as 100-2000, or a list of them',
  )
  .refine(
    (text) => text.split(',').every((part) => isRising(part.split('-').map(Number))),
    `ranges must rise, and end at ${MAX_MS} at most`,
  );

function isRising([least = 0, max = least]: readonly number[]): boolean {
  return least <= max && max <= MAX_MS;
}

/** A share, or several: each makes a group of partners. */
const sharesSchema = z
  .string()
  .refine(
    (text) =>
      text.split(',').every((part) => /^(0(\.\d+)?|1)$/.test(part)) &&
      new Set(text.split(',').map(Number)).size === text.split(',').length,
    'must be a share from 0 to 1 as 0.05, or a list of different ones as 0.01,0.05',
  );

function number(least: number, max: number, kind: 'whole' | 'any' = 'whole') {
  const reason = `must be a ${kind === 'whole' ? 'whole ' : ''}number from ${least} to ${max}`;
  return z.coerce
    .number(reason)
    .refine((value) => value >= least && value <= max && (kind === 'any' || Number.isInteger(value)), reason);
}

/** All parameters that scenarios have, what they mean and what they may be. A scenario takes those it names. */
export const PARAMETERS = {
  rate: { help: 'payments that start in a second', schema: number(0.01, 5_000, 'any') },
  second_rate: { help: 'the same in the second half', schema: number(0.01, 5_000, 'any') },
  duration: { help: 'seconds of sending', schema: number(1, 172_800) },
  services: { help: 'services, each a partner', schema: number(1, 100) },
  subscriptions_per_service: { help: 'each gets all events of its service', schema: number(1, 20) },
  events_per_payment: { help: 'one after another', schema: number(1, 20) },
  body_bytes: { help: 'of the resource in each event; 0: as a payment has it', schema: number(0, 250_000) },
  delay_ms: { help: 'what receivers take: 100, 100-2000, or a list by endpoint', schema: delaySchema },
  timeout_ms: { help: 'deadline of an attempt', schema: number(1_000, 30_000) },
  failure_rate: { help: 'share of attempts that are refused', schema: number(0, 1, 'any') },
  failure_status: { help: 'with which status', schema: number(300, 599) },
  refused_share: {
    help: 'share of its payments that an endpoint refuses for ever, always the same ones; an endpoint for each of a list',
    schema: sharesSchema,
  },
  refused_status: { help: 'with which status', schema: number(300, 599) },
  hang_share: { help: 'share of attempts that are never answered', schema: number(0, 1, 'any') },
  up_seconds: { help: 'seconds that a flapping endpoint is up …', schema: number(0.1, 86_400, 'any') },
  down_seconds: { help: '… and then down, and so on', schema: number(0.1, 86_400, 'any') },
  baseline: {
    help: 'seconds before the trouble in which all partners are well, measured apart',
    schema: number(0, 3_600),
  },
  failing: { help: 'partners that fail', schema: number(1, 100) },
  outage_after: { help: 'seconds of sending before the outage', schema: number(0, 172_800) },
  outage_seconds: { help: 'how long it lasts', schema: number(1, 172_800) },
  rate_limit: { help: 'attempts a second that a limited partner takes; 0: any', schema: number(0, 100) },
  eased_rate_limit: { help: 'the same after the sending', schema: number(0, 100) },
  takes_per_second: {
    help: 'what that partner takes by itself, with 429 for the rest; 0: any. Say --rate-limit 0 --eased-rate-limit 0 besides',
    schema: number(0, 10_000),
  },
  concurrency: { help: 'payments under way at a time', schema: number(1, 10_000) },
  store_delay_ms: { help: 'added to each call to DynamoDB', schema: number(0, 1_000) },
  store_failure_rate: { help: 'share of calls to DynamoDB that fail', schema: number(0, 1, 'any') },
  queue_delay_ms: { help: 'added to each call to SQS', schema: number(0, 1_000) },
  queue_failure_rate: { help: 'share of calls to SQS that fail', schema: number(0, 1, 'any') },
  warm_up: { help: 'seconds at twice the rate before, so that workers are up', schema: number(0, 600) },
  warm_workers: {
    help: 'workers of deliver that are brought up before that; 0: what the warm-up takes',
    schema: number(0, 500),
  },
  patience: {
    help: 'seconds without anything new until a run is taken for stuck',
    schema: number(1, 86_400),
  },
} as const;

export type ParameterName = keyof typeof PARAMETERS;
export type Parameters = Readonly<Partial<Record<ParameterName, number | string>>>;

export function isParameter(name: string): name is ParameterName {
  return Object.hasOwn(PARAMETERS, name);
}

/** As an option: `--delay-ms`. */
export function optionOf(name: string): string {
  return `--${name.replaceAll('_', '-')}`;
}

/** The delay of one endpoint as the receiver takes it. */
export function delayOf(text: string, endpoint: number): number | [number, number] {
  const parts = text.split(',');
  const [least = 0, max] = (parts[endpoint % parts.length] ?? '').split('-').map(Number);
  return max === undefined ? least : [least, max];
}
