import { circuitPromises } from './circuits.ts';
import { commitPromises } from './commits.ts';
import { countPromises } from './counts.ts';
import { leasePromises } from './leases.ts';
import { overduePromises } from './overdue.ts';
import { pastMessagePromises } from './past-messages.ts';
import { recoveryPromises } from './recoveries.ts';
import { sequencePromises } from './sequences.ts';
import type { Tables } from './tables.ts';
import { waitingPromises } from './waiting.ts';

/** What every engine for tables promises. `open` returns tables that may hold what other tests wrote. */
export function tablePromises(open: () => Tables): void {
  promisesWhateverIsLost(open);
  describe('leases', () => leasePromises(open));
  describe('recoveries', () => recoveryPromises(open));
  describe('counts', () => countPromises(open));
}

/** What our adapters promise even when an answer of the engine does not reach them. */
export function promisesWhateverIsLost(open: () => Tables): void {
  describe('commits', () => commitPromises(open));
  describe('what waits', () => waitingPromises(open));
  describe('what is overdue', () => overduePromises(open));
  describe('past messages', () => pastMessagePromises(open));
  describe('numbered events', () => sequencePromises(open));
  describe('circuits', () => circuitPromises(open));
}
