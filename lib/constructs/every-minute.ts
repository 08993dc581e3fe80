import { Duration } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { Every } from './every.ts';
import type { ServiceFunction } from './service-function.ts';

const MINUTE = Duration.minutes(1);

/** Runs a function each minute. One that is a minute late has been replaced by the next. */
export class EveryMinute extends Every {
  constructor(scope: Construct, id: string, worker: ServiceFunction) {
    super(scope, id, worker, { interval: MINUTE, when: 'each minute', staleAfter: MINUTE });
  }
}
