import { randomUUID } from 'node:crypto';
import { SQSClient } from '@aws-sdk/client-sqs';
import { clientConfig } from '../../../cli/stage/local-account.ts';
import type { LocalOutputs } from '../../../cli/stage/local-outputs.ts';
import { stack } from '../../support/deployed/shared-stack.ts';
import { tablesAt } from '../../support/engines/adapters.ts';
import { copiedTables } from '../../support/engines/copied-tables.ts';
import { queuesAt } from '../../support/engines/queues.ts';
import { statisticsPromises } from '../../support/engines/statistics-promises.ts';
import { promisesOfApiStores } from '../../support/engines/stores-of-the-api.ts';
import { withEngine } from '../../support/engines/with-engine.ts';
import { tablePromises } from '../../support/promises/all-tables.ts';
import { limitPromises } from '../../support/promises/limits.ts';
import { lostAnswerPromises } from '../../support/promises/lost-answers.ts';
import { fifoPromises, groupedDeduplicationPromises } from '../../support/promises/queues/fifo-queue.ts';
import { sendingPromises } from '../../support/promises/queues/sending.ts';

describe('emulator', () => {
  let names: LocalOutputs['tables'];
  let tables: ReturnType<typeof tablesAt>;
  beforeAll(async () => {
    const { dynamodb: client, outputs } = stack;
    // Sweep would look after what the tests leave in the deployed ones.
    const suffix = randomUUID();
    names = await copiedTables({ client, tables: outputs.tables }, client, (name) => `${name}-${suffix}`);
    tables = tablesAt(client, names);
  });

  describe('the emulator’s tables', () => {
    tablePromises(() => tables);
    describe('limits', () => limitPromises(() => tables));
    describe('statistics', () =>
      statisticsPromises(
        () => clientConfig(stack.outputs.endpoint),
        () => names,
      ));
    lostAnswerPromises(
      () => clientConfig(stack.outputs.endpoint),
      (losing) => tablesAt(losing, names),
    );
    promisesOfApiStores(() => ({ client: stack.dynamodb, names }));
  });

  describe('the emulator’s queues', () => {
    const queues = () => queuesAt(stack.sqs);
    fifoPromises((options) => queues().fifoQueue(options));
    groupedDeduplicationPromises((options) => queues().fifoQueue(options));
    sendingPromises(() => queues().sending);
  });
});

describe('elasticmq', () => {
  withEngine('elasticmq', (engine) => {
    let client: SQSClient;
    beforeAll(() => {
      client = new SQSClient(clientConfig(engine().endpoint));
    });
    afterAll(() => client?.destroy());

    // Not those of `groupedDeduplicationPromises`: it remembers ids for the whole queue.
    fifoPromises((options) => queuesAt(client).fifoQueue(options));
    sendingPromises(() => queuesAt(client).sending);
  });
});
