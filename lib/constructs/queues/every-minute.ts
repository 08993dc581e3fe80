import { Duration } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { ServiceFunction } from '../functions/service-function.ts';
import { Every } from './every.ts';

const MINUTE = Duration.minutes(1);

/** Runs a function every minute. A run that is a minute late is dropped: the next one replaces it. */
export class EveryMinute extends Every {
  constructor(scope: Construct, id: string, worker: ServiceFunction) {
    super(scope, id, worker, { interval: MINUTE, when: 'each minute', staleAfter: MINUTE });
  }
}
