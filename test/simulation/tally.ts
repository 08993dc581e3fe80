import type { World } from './world.ts';

/** What has happened in many worlds, so that one can see that enough did. */
export class Tally {
  worlds = 0;
  events = 0;
  attempts = 0;
  /** Attempts of what had been answered with success before: a worker had died in between. */
  repeats = 0;
  failedAttempts = 0;
  crashedWorkers = 0;
  timedOutWorkers = 0;
  failedWorkers = 0;

  add({ admitted, receivers, mappings }: World): void {
    this.worlds += 1;
    this.events += admitted.length;
    this.attempts += receivers.log.length;
    this.failedAttempts += receivers.log.filter(({ heardSuccess }) => !heardSuccess).length;
    const delivered = new Set<string>();
    for (const { messageId, heardSuccess } of receivers.log) {
      this.repeats += delivered.has(messageId) ? 1 : 0;
      if (heardSuccess) {
        delivered.add(messageId);
      }
    }
    for (const { ending } of mappings.flatMap(({ invocations }) => invocations)) {
      this.crashedWorkers += ending === 'crashed' ? 1 : 0;
      this.timedOutWorkers += ending === 'timed_out' ? 1 : 0;
      this.failedWorkers += ending === 'failed' ? 1 : 0;
    }
  }

  toString(): string {
    return (
      `${this.worlds} worlds: ${this.events} events, ${this.attempts} attempts (${this.failedAttempts} failed, ${this.repeats} repeated ` +
      `after a success), workers: ${this.crashedWorkers} crashed, ${this.timedOutWorkers} timed out, ${this.failedWorkers} failed`
    );
  }
}
