import type { Answers } from '../attempt/answers.ts';
import type { SlowAttempts } from './crowding.ts';

/** What workers tell each other about endpoints. */
export interface EndpointCounts {
  /**
   * Adds to what was counted of a subscription's answers. Never rejects: what is not counted slows a drain
   * down, no more.
   */
  countAnswers(subscriptionId: string, answers: Answers): Promise<void>;
  /** All that was ever counted of a subscription's answers. Strongly consistent. */
  answers(subscriptionId: string): Promise<Answers>;
  /**
   * Announces how many slow attempts this worker has under way, by subscription, and answers what all workers
   * announced in this second so far. Never rejects: undefined when nobody can say.
   */
  saySlow(own: ReadonlyMap<string, number>): Promise<ReadonlyMap<string, SlowAttempts> | undefined>;
  /** How many slow attempts workers announced in the last second, or in this one if they are more. */
  slowAttempts(subscriptionId: string): Promise<SlowAttempts>;
  /**
   * Announces that a circuit is draining, and answers how many did so in the last second, or in this one if
   * they are more.
   */
  drains(): Promise<number>;
}
