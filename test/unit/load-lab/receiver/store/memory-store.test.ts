import { cachedSettings } from '../../../../../functions/load-lab/receiver/store/cached-settings.ts';
import { memoryStore } from '../../../../../functions/load-lab/receiver/store/memory-store.ts';
import { QUIET } from '../../../../../functions/load-lab/receiver/store/settings.ts';
import { keepsThePromisesOfReceiverStore } from './store-contract.ts';

keepsThePromisesOfReceiverStore(memoryStore);

test('new settings apply within the lifetime of the cache', async () => {
  const store = memoryStore();
  let nowMs = 0;
  const settingsOf = cachedSettings(store.settingsOf, 1_000, () => nowMs);
  expect(await settingsOf('shop')).toBeUndefined();

  await store.keepSettings('shop', QUIET);
  nowMs = 999;
  expect(await settingsOf('shop')).toBeUndefined();
  nowMs = 1_000;
  expect(await settingsOf('shop')).toEqual(QUIET);
});
