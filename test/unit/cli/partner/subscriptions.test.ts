import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { filterIn, settingsIn } from '../../../../cli/partner/subscription-options.ts';
import { changedText } from '../../../../cli/partner/text/changed-text.ts';
import { inMemoryStatistics } from '../../../../functions/core/statistics/statistics-store.ts';
import { registryOfShop } from '../../api/builders.ts';
import { clientWorld } from './client-world.ts';

const URL = 'https://shop.example/hooks';

/** The client of a service with the subscription `sub_1`. */
async function worldWithOne({ waiting = 0 } = {}) {
  const subscriptions = await registryOfShop({ callback_url: URL });
  const statistics = inMemoryStatistics({}, { sub_1: { count: waiting, is_more: false } });
  return clientWorld({ subscriptions, statistics });
}

test('a subscription is shown with its etag, and an update takes that with and without quotes', async () => {
  const world = await worldWithOne();
  expect((await world.run('show', 'sub_1')).output).toMatch(/^ {2}etag +"1"$/m);

  const updated = await world.run('update', 'sub_1', '--description', 'a', '--if-match', '1');
  expect(updated.output).toMatch(/^ {2}etag +"2"$/m);
  await world.run('update', 'sub_1', '--description', 'b', '--if-match', '"2"');
  await expect(world.run('update', 'sub_1', '--description', 'c', '--if-match', '2')).rejects.toThrow(
    '(412)',
  );
});

test('enabling one whose endpoint has to prove itself names the challenge', async () => {
  const subscriptions = await registryOfShop({ state: 'unproven', challenge_id: 'msg_1' });
  const callbackUrls = { mustBeProven: true, vet: async () => ({ kind: 'accepted', url: URL }) as const };
  const world = clientWorld({ subscriptions, callbackUrls });
  expect((await world.run('enable', 'sub_1')).output).toMatch(
    /^sub_1 is unproven, its circuit open\. Its endpoint has to answer the challenge msg_[\w-]{40}\.$/m,
  );
});

test('a limit of none is removed', async () => {
  const world = await worldWithOne();

  await world.run('update', 'sub_1', '--rate-limit', 'none');

  expect(world.requests.at(-1)).toMatchObject({ method: 'PATCH', body: { rate_limit: null } });
});

test('whether a subscription is live cannot be updated, and what helps is told', async () => {
  const world = await worldWithOne();
  await expect(world.run('update', 'sub_1', '--live')).rejects.toThrow(
    'cannot switch between live and test payments; create another one',
  );
  expect(world.requests).toEqual([]);
});

test('a filter is given as JSON or as a file, and fields one by one', () => {
  const filter = { resource: { amount: [{ numeric: ['>', 100] }] } };
  const folder = mkdtempSync(path.join(tmpdir(), 'payhooks-filter-'));
  writeFileSync(path.join(folder, 'filter.json'), JSON.stringify(filter));
  expect(filterIn(JSON.stringify(filter))).toEqual(filter);
  expect(filterIn(path.join(folder, 'filter.json'))).toEqual(filter);
  rmSync(folder, { recursive: true });
  const long = '{"resource":{"amount":[0.1000000000000000055]}}';
  expect(JSON.stringify(filterIn(long))).toBe(long);
  expect(() => filterIn('amount > 100')).toThrow('--filter: must be JSON such as');
  expect(settingsIn({ filter: 'none', fields: ['/amount'] } as never)).toEqual({
    filter: null,
    fields: ['/amount'],
  });
});

test.each([
  [0, 'No message waits that would be cancelled.'],
  [1, '1 message that waits would be cancelled.'],
  [3, '3 messages that wait would be cancelled.'],
])(
  'without --yes nothing is deleted: it tells of %i messages what would become of them',
  async (waiting, told) => {
    const world = await worldWithOne({ waiting });
    await expect(world.run('delete', 'sub_1')).rejects.toThrow(
      `sub_1 (${URL}) would be deleted, for good. ${told}`,
    );
    expect(world.requests.map(({ method }) => method)).toEqual(['GET', 'GET']);

    expect((await world.run('delete', 'sub_1', '--yes')).output).toBe('sub_1 is deleted.\n');
    await expect(world.run('show', 'sub_1')).rejects.toThrow('(404)');
  },
);

test.each(['0x5', '1e1', ' 5 ', '+5', ''])('%j is not taken for a number', async (text) => {
  const world = await worldWithOne();
  await expect(world.run('messages', 'sub_1', `--limit=${text}`)).rejects.toThrow('Must be a number');
  await expect(world.run('update', 'sub_1', `--rate-limit=${text}`)).rejects.toThrow('Must be a number');
  expect(world.requests).toEqual([]);
});

test.each(['169', '-1'])('an overlap of %s hours is refused in hours', async (hours) => {
  const world = await worldWithOne();
  await expect(world.run('rotate', 'sub_1', `--overlap-hours=${hours}`)).rejects.toThrow(
    'Must be a number from 0 to 168',
  );
  expect(world.requests).toEqual([]);
});

test('of signing secrets a change tells what differs and nothing else', () => {
  const earlier = { secret_id: 'sec_1', public_key: 'whpk_1', created_at: '2026-01-01T00:00:00.000Z' };
  const removed = { ...earlier, secret_id: 'sec_0' };
  const expiring = { ...earlier, expires_at: '2026-11-15T10:00:00.000Z' };
  const added = { ...earlier, secret_id: 'sec_2' };
  const changed = {
    signing_secrets: { from: [earlier, removed], to: [added, expiring] },
    rate_limit: { from: 5 },
  };
  expect(changedText(changed)).toBe(
    'signing_secrets: sec_2 added, sec_1 expires at 2026-11-15T10:00:00.000Z, sec_0 removed; rate_limit: 5 -> none',
  );
});

test('changes continue where a page has ended', async () => {
  const world = clientWorld();
  await world.run('create', URL);
  await world.run('create', `${URL}/2`);
  const first = (await world.run('changes', '--limit', '1')).output;
  const cursor = /--cursor (\S+)\n$/.exec(first)?.[1] ?? 'none';
  const second = (await world.run('changes', '--cursor', cursor)).output;
  expect(second).toContain('createSubscription');
  expect(second).not.toContain('--cursor');
});
