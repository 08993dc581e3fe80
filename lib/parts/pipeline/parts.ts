import type { IEventBus } from 'aws-cdk-lib/aws-events';
import type { Network } from '../../constructs/functions/fixed-addresses.ts';
import type { FifoWorkQueue } from '../../constructs/queues/fifo-work-queue.ts';
import type { TimerQueue } from '../../constructs/queues/timer-queue.ts';
import type { Settings } from '../../settings.ts';
import type { Data } from '../data.ts';

/** What the functions of the pipeline are connected to. */
export interface PipelineParts {
  readonly settings: Settings;
  readonly data: Data;
  readonly bus: IEventBus;
  readonly events: FifoWorkQueue;
  readonly deliveries: FifoWorkQueue;
  readonly retryTimers: TimerQueue;
  /** Undefined for Lambda's own. */
  readonly network: Network | undefined;
}
