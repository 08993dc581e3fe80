import { randomUUID } from 'node:crypto';
import { NO_ANSWERS } from '../../../functions/core/attempt/answers.ts';
import type { Tables } from './tables.ts';

/** What workers count together, without waiting for each other. */
export function countPromises(open: () => Pick<Tables, 'counts'>): void {
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
