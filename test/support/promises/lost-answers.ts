import { randomUUID } from 'node:crypto';
import type { DynamoDBClient, DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { NO_ANSWERS } from '../../../functions/core/attempt/answers.ts';
import { losingAnswers } from '../network/failing-transport.ts';
import { promisesWhateverIsLost } from './all-tables.ts';
import { someRecovery } from './recoveries.ts';
import type { Tables } from './tables.ts';

/** What is promised while the first answer to each write is lost, so that the SDK writes again. */
export function lostAnswerPromises(
  config: () => DynamoDBClientConfig,
  at: (client: DynamoDBClient) => Tables,
): void {
  describe('while the first answer to each write is lost', () => {
    let client: DynamoDBClient;
    // One for each test: after too many failures the SDK stops trying again.
    beforeEach(() => {
      client = losingAnswers(config());
    });
    afterEach(() => client.destroy());
    const open = () => at(client);

    promisesWhateverIsLost(open);

    test('a recovery is started, and another one is not', async () => {
      const { recoveries } = open();
      const recovery = someRecovery();
      expect(await recoveries.start(recovery)).toBe(true);
      expect(await recoveries.start({ ...recovery, recovery_id: 'rec_2' })).toBe(false);
      expect(await recoveries.find(recovery)).toEqual(recovery);
    });

    test('a step of a recovery is written, and not taken for another worker’s', async () => {
      const { recoveries } = open();
      const recovery = someRecovery();
      await recoveries.start(recovery);
      expect(await recoveries.advance(recovery, { ...recovery, step: 1 })).toBe(true);
      expect(await recoveries.find(recovery)).toMatchObject({ step: 1 });
    });

    test('what is counted is counted twice', async () => {
      const { counts } = open();
      const id = `sub_${randomUUID()}`;
      await counts.countAnswers(id, { ...NO_ANSWERS, succeeded: 1 });
      expect(await counts.answers(id)).toEqual({ ...NO_ANSWERS, succeeded: 2 });
    });
  });
}
