import { unmarshall } from '@aws-sdk/util-dynamodb';
import { changeSecrets } from '../../../../../functions/adapters/dynamodb/secrets/signing-secret-store.ts';

/** As a text, which a failed test shows. */
const sealed = 'sealed' as unknown as Uint8Array;

/** The update of a change, with names and values filled in. */
function written(change: Parameters<typeof changeSecrets>[2]) {
  const [write] = changeSecrets('secrets', 'sub_1', change);
  const { UpdateExpression = '', ...update } = write!.Update!;
  const names = update.ExpressionAttributeNames ?? {};
  const values = unmarshall(update.ExpressionAttributeValues ?? {});
  const unused = [...Object.keys(names), ...Object.keys(values)].filter(
    (name) => !`${UpdateExpression} ${update.ConditionExpression}`.includes(name),
  );
  expect(unused).toEqual([]);
  return UpdateExpression.replace(/#\w+/g, (name) => names[name] ?? '?').replace(
    /:\w+/g,
    (name) => JSON.stringify(values[name]) ?? '?',
  );
}

test('each secret is written to its own attribute, and none is read', () => {
  const keys = { sealed, created_at: '2026-11-14T10:00:00.000Z' };

  expect(
    written({
      added: { secret_id: 'sec_new', keys },
      expiring: { sec_old: '2026-11-15T10:00:00.000Z' },
      removed: ['sec_older', 'sec_oldest'],
    }),
  ).toBe(
    `SET secrets.sec_new = {"sealed":"sealed","created_at":"2026-11-14T10:00:00.000Z"}, secrets.sec_old.expires_at = "2026-11-15T10:00:00.000Z" REMOVE secrets.sec_older, secrets.sec_oldest`,
  );
});

test('headers are replaced as a whole', () => {
  expect(written({ customHeaders: sealed })).toBe('SET custom_headers = "sealed"');
});

test('a removal removes nothing else', () => {
  expect(written({ removed: ['sec_old'] })).toBe('REMOVE secrets.sec_old');
});

test('without a change nothing is written', () => {
  expect(changeSecrets('secrets', 'sub_1', {})).toEqual([]);
});

test('an item that does not exist is not created', () => {
  const [write] = changeSecrets('secrets', 'sub_1', { removed: ['sec_old'] });

  expect(write?.Update?.ConditionExpression).toBe('attribute_exists(#key)');
});
