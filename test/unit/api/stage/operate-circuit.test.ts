import { stageWorld } from './stage-world.ts';

const OPEN = { service_id: 'shop', subscription_id: 'sub_1', signal: 'open' };

test('a trial says what would happen, and changes nothing', async () => {
  const { signedIn, call, world, operators } = stageWorld();
  const { token } = await signedIn('on-call');
  const before = world.subscription;
  const entries = operators.entries.length;
  expect(await call('POST', '/stage/circuits', token, OPEN)).toEqual({
    status: 200,
    body: {
      dry_run: true,
      from: 'closed',
      to: 'open',
      text: expect.stringMatching(/^It is closed\. It would be opened: nothing is sent to it/),
    },
  });
  expect(world.subscription).toBe(before);
  expect(operators.entries).toHaveLength(entries);
});

test('what is done is recorded with who and by which session, told on the bus, and seen by the partner', async () => {
  const { signedIn, call, world, operators, told } = stageWorld();
  const { token, session_id } = await signedIn('on-call');
  const wanted = { ...OPEN, dry_run: false };
  expect(await call('POST', '/stage/circuits', token, wanted)).toMatchObject({
    status: 200,
    body: { dry_run: false, from: 'closed', to: 'open' },
  });
  expect(world.subscription.circuit).toMatchObject({ state: 'open' });
  expect(operators.entries.at(-1)).toMatchObject({
    command: 'circuits open',
    who: expect.stringContaining('ada'),
    arguments: { service: 'shop', subscription: 'sub_1', session: session_id },
    outcome: { changed: 1 },
  });
  expect(operators.changes).toMatchObject([
    { service_id: 'shop', operation: 'openCircuit', actor: 'operator', changed: { circuit: { to: 'open' } } },
  ]);
  expect(JSON.stringify(operators.changes)).not.toMatch(/ada|stg_/);
  expect(told.length).toBeGreaterThan(0);

  expect(await call('POST', '/stage/circuits', token, wanted)).toMatchObject({
    status: 409,
    body: { detail: 'sub_1 is open by hand: there is nothing to do.' },
  });
});

test.each([
  [{ subscription_id: 'sub_2' }, 404],
  [{ subscription_id: 'msg_1' }, 400],
  [{ signal: 'explode' }, 400],
])('%j is refused', async (differently, status) => {
  const { signedIn, call } = stageWorld();
  const { token } = await signedIn('on-call');
  expect((await call('POST', '/stage/circuits', token, { ...OPEN, ...differently })).status).toBe(status);
});
