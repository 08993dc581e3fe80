import { inMemoryRegistry } from '../../../../functions/core/api/subscription-registry.ts';
import { registryPromises } from './registry-contract.ts';

describe('the registry in memory', () => {
  registryPromises(
    inMemoryRegistry,
    async (registry, id) => (registry as ReturnType<typeof inMemoryRegistry>).secrets.get(id),
    ['shop', 'other'],
  );
});
