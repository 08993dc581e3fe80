import { SQSClient } from '@aws-sdk/client-sqs';
import { clientConfig } from '../../../cli/stage/local-account.ts';
import { queuesAt } from '../../support/engines/queues.ts';
import { withEngine } from '../../support/engines/with-engine.ts';
import { fifoPromises } from '../../support/promises/queues/fifo-queue.ts';
import { sendingPromises } from '../../support/promises/queues/sending.ts';

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
