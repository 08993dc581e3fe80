import { inMemoryAuditTrail } from '../../../../../functions/core/api/audit-trail.ts';
import { newRecovery, type Recovery } from '../../../../../functions/core/message/recovery.ts';
import { inMemoryRecoveries } from '../../../../../functions/core/message/recovery-registry.ts';
import { at } from '../../../pipeline/wake/world.ts';
import { apiOver, registryOfShop } from '../../builders.ts';

const path = '/v1/subscriptions/sub_1/recoveries';
const recovery: Recovery = {
  ...newRecovery({
    ...{ service_id: 'shop', subscription_id: 'sub_1', recovery_id: 'rec_1' },
    ...{ since: at(-60_000), until: at(0), started_at: at(-5_000) },
  }),
  ...{ step: 3, examined_count: 30, resent_count: 7 },
};

async function given(over: Partial<Recovery> = {}) {
  const recoveries = inMemoryRecoveries();
  await recoveries.start({ ...recovery, ...over });
  const audit = inMemoryAuditTrail();
  const subscriptions = await registryOfShop();
  /** What another worker does between a reading and a write. */
  const meanwhile: (() => unknown)[] = [];
  const api = apiOver({
    ...{ audit, subscriptions },
    recoveries: {
      ...recoveries,
      async find(of) {
        const found = await recoveries.find(of);
        await meanwhile.shift()?.();
        return found;
      },
    },
  });
  return {
    ...{ api, recoveries, meanwhile, audit },
    stop: (id = 'rec_1') => api({ method: 'POST', path: `${path}/${id}/stop` }),
  };
}

test('a recovery is stopped halfway, says what it has done, and makes room for another', async () => {
  const { api, stop, audit } = await given();
  const stopped = {
    state: 'stopped',
    examined_count: 30,
    resent_count: 7,
    ended_at: '2026-11-14T10:00:00.000Z',
  };
  expect(await stop()).toMatchObject({ status: 200, body: stopped });
  expect((await api({ path: `${path}/rec_1` })).body).toMatchObject(stopped);
  expect((await audit.page('shop', { limit: 9 })).changes).toMatchObject([
    { operation: 'stopRecovery', subscription_id: 'sub_1', changed: { recovery: { from: 'rec_1' } } },
  ]);
  expect(await api({ method: 'POST', path, body: { since: at(-60_000) } })).toMatchObject({ status: 202 });
});

test('a step that ends meanwhile counts', async () => {
  const { stop, meanwhile, recoveries } = await given();
  meanwhile.push(() => recoveries.advance(recovery, { ...recovery, step: 4, resent_count: 107 }));
  expect((await stop()).body).toMatchObject({ state: 'stopped', resent_count: 107 });
});

test('whoever meets a change each time is told to try again', async () => {
  const { stop, meanwhile, recoveries } = await given();
  const goOn = async () => {
    const now = (await recoveries.find(recovery))!;
    await recoveries.advance(now, { ...now, step: now.step + 1 });
  };
  meanwhile.push(goOn, goOn, goOn, goOn, goOn);
  expect(await stop()).toMatchObject({ status: 503, body: { type: 'urn:payhooks:problem:contended' } });
});

test('one that has ended stays as it is', async () => {
  const done = { state: 'done', ended_at: at(-1_000) } as const;
  const { stop, audit } = await given(done);
  expect(await stop()).toMatchObject({ status: 200, body: done });
  expect((await audit.page('shop', { limit: 9 })).changes).toEqual([]);
});

test('an earlier recovery, and that of a deleted subscription, is not found', async () => {
  const { api, stop } = await given();
  expect(await stop('rec_0')).toMatchObject({ status: 404 });
  await api({ method: 'DELETE', path: '/v1/subscriptions/sub_1' });
  expect(await stop()).toMatchObject({ status: 404 });
});
