import type { ShardCount } from '../../../lib/shards.ts';
import type { PipelineQueue } from '../../stage/stage-access.ts';
import type { DeadLetter, Received } from './dead-letter.ts';
import {
  readDeliveryDeadLetter,
  readEventDeadLetter,
  readRuleDeadLetter,
  readTimerDeadLetter,
} from './read-dead-letter.ts';

/** A queue of our dead letters, and the queue that they go back to. */
export interface DeadLetterQueue {
  readonly name: string;
  readonly isFifo: boolean;
  readonly deadLetters: PipelineQueue;
  readonly target: PipelineQueue;
  /** Where it shows when what was put back still cannot be handled. */
  readonly symptom: string;
  /** @param shards of the stage */
  readonly read: (received: Received, shards: ShardCount) => DeadLetter;
}

const toEvents = {
  target: 'EventsQueueUrl',
  symptom:
    'events-waiting goes off after five minutes, and after 100 tries it is among the dead letters of events',
} as const;

const QUEUES: readonly DeadLetterQueue[] = [
  {
    name: 'rule',
    isFifo: false,
    deadLetters: 'RuleDeadLettersUrl',
    ...toEvents,
    read: readRuleDeadLetter,
  },
  {
    name: 'events',
    isFifo: true,
    deadLetters: 'EventsDeadLettersUrl',
    ...toEvents,
    read: readEventDeadLetter,
  },
  {
    name: 'deliveries',
    isFifo: true,
    deadLetters: 'DeliveriesDeadLettersUrl',
    target: 'DeliveriesQueueUrl',
    symptom: 'deliveries-waiting goes off after five minutes, and after 100 tries it is back here',
    read: readDeliveryDeadLetter,
  },
  {
    name: 'retry-timers',
    isFifo: false,
    deadLetters: 'RetryTimersDeadLettersUrl',
    target: 'RetryTimersUrl',
    symptom: 'after ten tries it is back here',
    read: readTimerDeadLetter,
  },
];

export const QUEUE_NAMES = QUEUES.map(({ name }) => name);

/** @param name also as its alarm is called, such as events-dead-letters */
export function deadLetterQueue(name: string): DeadLetterQueue | undefined {
  return QUEUES.find((queue) => name === queue.name || name === `${queue.name}-dead-letters`);
}
