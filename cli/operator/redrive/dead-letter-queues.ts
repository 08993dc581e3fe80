import type { LocalOutputs } from '../../../local/outputs.ts';
import {
  type ReadDeadLetter,
  readDeliveryDeadLetter,
  readEventDeadLetter,
  readRuleDeadLetter,
  readTimerDeadLetter,
} from './read-dead-letter.ts';

/** A queue of our dead letters, and the queue that they go back to. */
export interface DeadLetterQueue {
  readonly name: string;
  readonly isFifo: boolean;
  /** Names of outputs: of the pipeline stack, and of the local stage's file. */
  readonly deadLetters: OutputNames;
  readonly target: OutputNames;
  /** Where it shows when what was put back still cannot be handled. */
  readonly symptom: string;
  readonly read: ReadDeadLetter;
}

interface OutputNames {
  readonly stack: string;
  readonly local: keyof LocalOutputs['queues'];
}

const toEvents = {
  target: { stack: 'EventsQueueUrl', local: 'events' },
  symptom:
    'events-waiting goes off after five minutes, and after 100 tries it is among the dead letters of events',
} as const;

const QUEUES: readonly DeadLetterQueue[] = [
  {
    name: 'rule',
    isFifo: false,
    deadLetters: { stack: 'RuleDeadLettersUrl', local: 'ruleDeadLetters' },
    ...toEvents,
    read: readRuleDeadLetter,
  },
  {
    name: 'events',
    isFifo: true,
    deadLetters: { stack: 'EventsDeadLettersUrl', local: 'eventsDeadLetters' },
    ...toEvents,
    read: readEventDeadLetter,
  },
  {
    name: 'deliveries',
    isFifo: true,
    deadLetters: { stack: 'DeliveriesDeadLettersUrl', local: 'deliveriesDeadLetters' },
    target: { stack: 'DeliveriesQueueUrl', local: 'deliveries' },
    symptom: 'deliveries-waiting goes off after five minutes, and after 100 tries it is back here',
    read: readDeliveryDeadLetter,
  },
  {
    name: 'retry-timers',
    isFifo: false,
    deadLetters: { stack: 'RetryTimersDeadLettersUrl', local: 'retryTimersDeadLetters' },
    target: { stack: 'RetryTimersUrl', local: 'retryTimers' },
    symptom: 'after ten tries it is back here',
    read: readTimerDeadLetter,
  },
];

export const QUEUE_NAMES = QUEUES.map(({ name }) => name);

/** @param name also as its alarm is called, such as events-dead-letters */
export function deadLetterQueue(name: string): DeadLetterQueue | undefined {
  return QUEUES.find((queue) => name === queue.name || name === `${queue.name}-dead-letters`);
}
