import { randomUUID } from 'node:crypto';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { LocalOutputs } from '../../../cli/stage/local-outputs.ts';
import { auditTrailTable } from '../../../functions/adapters/dynamodb/api/audit-table.ts';
import { idempotencyStore } from '../../../functions/adapters/dynamodb/api/idempotency-table.ts';
import { subscriptionRegistry } from '../../../functions/adapters/dynamodb/subscriptions/subscription-registry.ts';
import { inMemorySealing } from '../../../functions/adapters/kms/sealing.ts';
import { receiverStore } from '../../../functions/load-lab/receiver/store/receiver-table.ts';
import { auditPromises } from '../../unit/api/ports/audit-contract.ts';
import { idempotencyPromises } from '../../unit/api/ports/idempotency-contract.ts';
import { registryPromises } from '../../unit/api/ports/registry-contract.ts';
import { keepsThePromisesOfReceiverStore } from '../../unit/load-lab/receiver/store/store-contract.ts';
import { storedSecrets } from './copied-tables.ts';

interface Engine {
  readonly client: DynamoDBClient;
  readonly names: LocalOutputs['tables'];
}

/** The promises of what the API and the receiver keep. */
export function promisesOfApiStores(open: () => Engine): void {
  const two = (): [string, string] => [`svc-${randomUUID()}`, `svc-${randomUUID()}`];

  describe('the registry', () => {
    const sealing = inMemorySealing();
    registryPromises(
      () => {
        const { client, names } = open();
        return subscriptionRegistry(client, {
          tables: names,
          graceMs: 120_000,
          seal: sealing.seal,
          now: Date.now,
        });
      },
      async (_, subscription_id) => {
        const { client, names } = open();
        return storedSecrets(client, names.signingSecrets, sealing.open, subscription_id);
      },
      two(),
    );
  });

  describe('the audit trail', () => {
    auditPromises(() => auditTrailTable(open().client, open().names.audit), two);
  });

  describe('idempotency records', () => {
    const lost = (error: unknown) => {
      throw error;
    };
    idempotencyPromises(
      () => idempotencyStore(open().client, { table: open().names.idempotency, lost }),
      two(),
    );
  });

  describe('the table of the receiver', () => {
    let instances = 0;
    keepsThePromisesOfReceiverStore(() => {
      instances += 1;
      const options = { instance: String(instances), nowMs: () => Date.now() };
      return receiverStore(open().client, open().names.receiver ?? '', options);
    });
  });
}
