import { randomUUID } from 'node:crypto';
import { NO_ANSWERS } from '../../../functions/core/attempt/answers.ts';
import { circuitPromises } from './circuits.ts';
import { commitPromises } from './commits.ts';
import { leasePromises } from './leases.ts';
import { overduePromises } from './overdue.ts';
import { pastMessagePromises } from './past-messages.ts';
import { recoveryPromises } from './recoveries.ts';
import { sequencePromises } from './sequences.ts';
import type { Tables } from './tables.ts';
import { waitingPromises } from './waiting.ts';

/** What workers count together, without waiting for each other. */
function countPromises(open: () => Pick<Tables, 'counts'>): void {
  test('whoever announces himself counts, each once', async () => {
    const { counts } = open();
    const serviceId = `svc-${randomUUID()}`;
    const all = await Promise.all(Array.from({ length: 5 }, () => counts.recovering(serviceId)));
    expect(Math.max(...all)).toBe(5);
    expect(await counts.recovering(serviceId)).toBe(6);
  });

  test('slow attempts are counted for a subscription and for all', async () => {
    const { counts } = open();
    const [one, other] = [`sub_${randomUUID()}`, `sub_${randomUUID()}`];
    const before = (await counts.slowAttempts(one)).all;
    const said = await counts.saySlow(
      new Map([
        [one, 2],
        [other, 3],
      ]),
    );
    expect(said?.get(one)?.own).toBe(2);
    await counts.saySlow(new Map([[one, 4]]));
    expect(await counts.slowAttempts(one)).toEqual({ own: 6, all: before + 9 });
    expect((await counts.slowAttempts(other)).own).toBe(3);
  });

  test('answers add up', async () => {
    const { counts } = open();
    const id = `sub_${randomUUID()}`;
    expect(await counts.answers(id)).toEqual(NO_ANSWERS);
    await Promise.all(
      [1, 2, 3].map((succeeded) => counts.countAnswers(id, { ...NO_ANSWERS, succeeded, unwell: 1 })),
    );
    expect(await counts.answers(id)).toEqual({ ...NO_ANSWERS, succeeded: 6, unwell: 3 });
  });
}

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
