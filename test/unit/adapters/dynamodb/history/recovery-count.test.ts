import { recoveryCount } from '../../../../../functions/adapters/dynamodb/history/recovery-count.ts';
import { secondsTable } from '../periods-table.ts';

test('recoveries that take a step in the same second are counted per service', async () => {
  const { rollCall, pass, said } = secondsTable();
  const recovering = recoveryCount(rollCall);
  expect(await Promise.all(['shop', 'shop', 'other'].map(recovering))).toEqual([1, 2, 1]);
  pass(1_000);
  expect(await recovering('shop')).toBe(2);
  pass(2_000);
  expect(await recovering('shop')).toBe(1);
  expect([...said.keys()].every((item) => item.startsWith('#recoveries#'))).toBe(true);
});
