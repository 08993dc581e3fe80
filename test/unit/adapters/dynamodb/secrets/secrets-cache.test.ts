import {
  SecretsCache,
  type SecretsLookUp,
} from '../../../../../functions/adapters/dynamodb/secrets/secrets-cache.ts';
import { SECRETS_CACHED_MS } from '../../../../../functions/core/attempt/signing-keys.ts';
import type { Subscription } from '../../../../../functions/core/subscription/subscription.ts';
import { keptSecrets, signingKeys, subscription, TEN_O_CLOCK_MS } from '../../../../support/builders.ts';

const NOW_MS = TEN_O_CLOCK_MS;
const named = (id: string, secretId = 'sec_1') => ({
  subscription_id: id,
  ...keptSecrets(),
  secrets: { [secretId]: signingKeys() },
});
const subscriptions = (revision: number, ...ids: string[]): ReadonlyMap<string, Subscription> =>
  new Map(ids.map((subscription_id) => [subscription_id, subscription({ subscription_id, revision })]));
const noInternalError = (internalError: Error) => {
  throw internalError;
};
const found = (lookUp: SecretsLookUp) =>
  Object.fromEntries([...lookUp.found()].map(([id, { secrets }]) => [id, Object.keys(secrets)]));

/** Reads the stale ones in one go. */
function lookedUp(cache: SecretsCache, nowMs: number, ids: readonly string[]): SecretsLookUp {
  const lookUp = cache.lookUp(ids, nowMs);
  const items = lookUp.stale.map((id) => named(id));
  lookUp.keep(lookUp.stale, items, subscriptions(1, ...ids), noInternalError);
  return lookUp;
}

test('a look-up keeps what it has found, however many other look-ups there are', () => {
  const cache = new SecretsCache(3);
  lookedUp(cache, NOW_MS, ['sub_1']);
  const waiting = cache.lookUp(['sub_1', 'sub_2'], NOW_MS);
  for (const id of ['sub_3', 'sub_4', 'sub_5', 'sub_6']) {
    lookedUp(cache, NOW_MS, [id]);
  }
  expect(waiting.stale).toEqual(['sub_2']);
  waiting.keep(waiting.stale, [named('sub_2')], subscriptions(1, 'sub_1', 'sub_2'), noInternalError);
  expect(found(waiting)).toEqual({ sub_1: ['sec_1'], sub_2: ['sec_1'] });
});

test('a failed read of another look-up does not affect one that has the secrets', () => {
  const cache = new SecretsCache();
  lookedUp(cache, NOW_MS, ['sub_1']);
  const [waiting, unlucky] = [cache.lookUp(['sub_1'], NOW_MS), cache.lookUp(['sub_1'], NOW_MS)];
  unlucky.keep(['sub_1'], [], subscriptions(2, 'sub_1'), noInternalError);
  expect(found(waiting)).toEqual({ sub_1: ['sec_1'] });
  expect(found(unlucky)).toEqual({});
  expect(cache.lookUp(['sub_1'], NOW_MS).stale).toEqual(['sub_1']);
});

test('a late response does not replace what was read after it', () => {
  const cache = new SecretsCache();
  const slow = cache.lookUp(['sub_1'], NOW_MS);
  const quick = cache.lookUp(['sub_1'], NOW_MS + 50);
  quick.keep(['sub_1'], [named('sub_1', 'sec_new')], subscriptions(2, 'sub_1'), noInternalError);
  slow.keep(['sub_1'], [named('sub_1', 'sec_old')], subscriptions(1, 'sub_1'), noInternalError);
  expect(found(slow)).toEqual({ sub_1: ['sec_old'] });
  const next = cache.lookUp(['sub_1'], NOW_MS + 100);
  expect([next.stale, next.overtaken(subscriptions(2, 'sub_1')), found(next)]).toEqual([
    [],
    [],
    { sub_1: ['sec_new'] },
  ]);
});

test('a slow look-up does not extend the life of what it has read', () => {
  const cache = new SecretsCache();
  const slow = cache.lookUp(['sub_1'], NOW_MS);
  slow.keep(['sub_1'], [named('sub_1')], subscriptions(1, 'sub_1'), noInternalError);
  expect(cache.lookUp(['sub_1'], NOW_MS + SECRETS_CACHED_MS).stale).toEqual(['sub_1']);
});
