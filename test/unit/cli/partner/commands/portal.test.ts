import { clientWorld } from '../client-world.ts';

test('a link leads to the console of the API that was called, for one who looks', async () => {
  const world = clientWorld();
  const { output } = await world.run('portal');

  expect(output).toMatch(/^https:\/\/api\.example\/v1\/console#code=phc_[\w-]{43}\n/);
  expect(output).toContain('until 2026-11-14T10:10:00.000Z: give it to one person.');
  expect(output).toMatch(
    /ses_[\w-]{22} may look, until 2026-11-14T18:00:00\.000Z\. To end it sooner: npm run webhooks -- end-session ses_/,
  );
  expect(world.requests).toMatchObject([{ path: '/v1/portal-sessions', body: { rights: 'read' } }]);
});

test('rights, subscriptions and hours are asked for', async () => {
  const world = clientWorld();
  await expect(
    world.run('portal', '--manage', '--subscription', 'sub_1', '--subscription', 'sub_2', '--hours', '0.5'),
  ).rejects.toThrow('subscriptions.0: must be the id of a subscription of this service');
  expect(world.requests[0]?.body).toEqual({
    rights: 'manage',
    subscriptions: ['sub_1', 'sub_2'],
    lasts_seconds: 1_800,
  });
});

test.each([
  [['--read', '--manage'], '--read and --manage exclude each other'],
  [['--hours', '13'], 'Must be a number from'],
])('%j is refused before anything is sent', async (options, words) => {
  const world = clientWorld();
  await expect(world.run('portal', ...options)).rejects.toThrow(words);
  expect(world.requests).toEqual([]);
});

test('with --json the link is a member of the answer, and the code is nowhere else', async () => {
  const session = JSON.parse((await clientWorld().run('portal', '--json')).output);
  expect(session).toEqual({
    session_id: expect.stringMatching(/^ses_/),
    rights: 'read',
    token_id: 'tok_1',
    created_at: '2026-11-14T10:00:00.000Z',
    link_expires_at: '2026-11-14T10:10:00.000Z',
    expires_at: '2026-11-14T18:00:00.000Z',
    url: expect.stringMatching(/^https:\/\/api\.example\/v1\/console#code=phc_/),
  });
});

test('open sessions are a table, and one that is ended is not in it', async () => {
  const world = clientWorld();
  expect((await world.run('sessions')).output).toBe('No portal session is open.\n');
  const { session_id } = JSON.parse((await world.run('portal', '--json')).output);

  const { output } = await world.run('sessions');
  expect(output).toMatch(/session +rights +subscriptions +made by +made +used +until/);
  expect(output).toMatch(
    new RegExp(`${session_id} +read +all +tok_1 +2026-11-14T10:00:00.000Z +no, until 2026-11-14T10:10`),
  );

  expect((await world.run('end-session', session_id)).output).toBe(`${session_id} has ended.\n`);
  expect((await world.run('sessions')).output).toBe('No portal session is open.\n');
});
