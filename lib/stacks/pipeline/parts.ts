import type { EventBus } from 'aws-cdk-lib/aws-events';
import type { Network } from '../../constructs/functions/fixed-addresses.ts';
import type { FifoWorkQueue } from '../../constructs/queues/fifo-work-queue.ts';
import type { TimerQueue } from '../../constructs/queues/timer-queue.ts';
import type { Stage } from '../../stage.ts';
import type { DataStack } from '../data-stack.ts';

/** What the functions of the pipeline are connected to. */
export interface PipelineParts {
  readonly stage: Stage;
  readonly data: DataStack;
  readonly bus: EventBus;
  readonly events: FifoWorkQueue;
  readonly deliveries: FifoWorkQueue;
  readonly retryTimers: TimerQueue;
  /** Undefined where the stage has no fixed addresses. */
  readonly network: Network | undefined;
}
