import { reseal } from '../../../../../cli/operator/restore/reseal-secrets.ts';
import { openSecrets } from '../../../../../functions/adapters/dynamodb/secrets/opened-secrets.ts';
import { sealSecrets } from '../../../../../functions/adapters/dynamodb/secrets/sealed-secrets.ts';
import { inMemorySealing } from '../../../../../functions/adapters/kms/sealing.ts';
import { keptSecrets } from '../../../../support/builders.ts';

/** Another key: what the one seals, the other does not open. */
const here = inMemorySealing();
const there = inMemorySealing('the old region');
const SECRETS = { ...keptSecrets(), custom_headers: { 'x-shop': 'bakery' } };
const never = (error: Error) => {
  throw error;
};

test('secrets of a stage that lived elsewhere open with the key of this one', async () => {
  const old = { subscription_id: 'sub_1', ...(await sealSecrets(there.seal, 'sub_1', SECRETS)) };
  const moved = await reseal([old], there.open, here.seal);
  expect(await openSecrets(here.open, moved, never)).toEqual([{ subscription_id: 'sub_1', ...SECRETS }]);
  await expect(openSecrets(here.open, [old], never)).rejects.toThrow('sub_1');
  await expect(reseal([old], here.open, here.seal)).rejects.toThrow('sub_1');
});
