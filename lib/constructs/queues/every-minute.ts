import { Duration } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { ServiceFunction } from '../functions/service-function.ts';
import { Every } from './every.ts';

const MINUTE = Duration.minutes(1);

/** Runs a function each minute. One that is a minute late has been replaced by the next. */
export class EveryMinute extends Every {
  constructor(scope: Construct, id: string, worker: ServiceFunction) {
    super(scope, id, worker, { interval: MINUTE, when: 'each minute', staleAfter: MINUTE });
  }
}
