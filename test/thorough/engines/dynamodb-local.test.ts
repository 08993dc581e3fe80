import { spawnSync } from 'node:child_process';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { clientConfig } from '../../../cli/stage/local-account.ts';
import type { LocalOutputs } from '../../../cli/stage/local-outputs.ts';
import { deployedStack } from '../../support/deployed/deployed-stack.ts';
import { tablesAt } from '../../support/engines/adapters.ts';
import { copiedTables } from '../../support/engines/copied-tables.ts';
import { statisticsPromises } from '../../support/engines/statistics-promises.ts';
import { promisesOfApiStores } from '../../support/engines/stores-of-the-api.ts';
import { withEngine } from '../../support/engines/with-engine.ts';
import { javaFor, OPTIONS } from '../../support/java/engine.ts';
import { tablePromises } from '../../support/promises/all-tables.ts';
import { limitPromises } from '../../support/promises/limits.ts';
import { lostAnswerPromises } from '../../support/promises/lost-answers.ts';

withEngine('dynamodb-local', (engine) => {
  let client: DynamoDBClient;
  let names: LocalOutputs['tables'];
  beforeAll(async () => {
    client = new DynamoDBClient(clientConfig(engine().endpoint));
    const stack = await deployedStack();
    const { dynamodb, outputs } = stack;
    names = await copiedTables({ client: dynamodb, tables: outputs.tables }, client, (name) => name);
    stack.close();
  });
  afterAll(() => client?.destroy());

  tablePromises(() => tablesAt(client, names));
  describe('limits', () => limitPromises(() => tablesAt(client, names)));
  describe('statistics', () =>
    statisticsPromises(
      () => clientConfig(engine().endpoint),
      () => names,
    ));
  lostAnswerPromises(
    () => clientConfig(engine().endpoint),
    (losing) => tablesAt(losing, names),
  );
  promisesOfApiStores(() => ({ client, names }));
});

const java = javaFor('elasticmq', process);
const resolved = (options: readonly string[]) =>
  spawnSync(
    typeof java === 'string' ? '' : java.program,
    [...options, join(import.meta.dirname, '../../support/engines/Resolve.java'), hostname()],
    { encoding: 'utf8' },
  );

(typeof java === 'string' ? test.skip : test)(
  'an engine asks no name server, so it finds nobody to report to',
  () => {
    expect(resolved(OPTIONS).stderr).toContain(`Unable to resolve host ${hostname()} in hosts file`);
    expect(resolved([]).stderr).not.toContain('in hosts file');
  },
);
