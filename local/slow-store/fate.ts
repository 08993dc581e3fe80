import type { IncomingHttpHeaders } from 'node:http';
import { Dice } from '../dice.ts';
import type { Service, Settings } from './settings.ts';

/**
 * `throttled`, `internal`: the service does nothing. `answer_lost`: the service executes the call, but the
 * caller gets an internal error, as with a real 500 of AWS.
 */
const FAILURE_KINDS = ['throttled', 'internal', 'answer_lost'] as const;
export type FailureKind = (typeof FAILURE_KINDS)[number];

/** What happens to one call. */
interface Fate {
  readonly delayMs: number;
  readonly failure?: FailureKind | undefined;
}

/** Prefixes of `x-amz-target` in the JSON protocol. */
const SERVICES: Readonly<Record<string, Service>> = { DynamoDB_20120810: 'dynamodb', AmazonSQS: 'sqs' };

/** The service that a request is for; undefined for one that the settings do not know. */
export function serviceOf(headers: IncomingHttpHeaders): Service | undefined {
  return SERVICES[String(headers['x-amz-target'] ?? '').split('.')[0] ?? ''];
}

/** Draws the fate of each call. Each service has its own dice, so calls to another do not affect it. */
export function fates(settings: Settings): (service: Service) => Fate {
  const dice = { dynamodb: new Dice(1), sqs: new Dice(1) };
  return (service) => {
    const { delay_ms: delayMs = 0, failure_rate = 0 } = settings[service] ?? {};
    return dice[service].chance(failure_rate)
      ? { delayMs, failure: FAILURE_KINDS[dice[service].whole(0, FAILURE_KINDS.length - 1)] }
      : { delayMs };
  };
}
