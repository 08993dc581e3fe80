import { lookedAt } from '../../../../functions/api/stage/watched-queues.ts';
import { stageWorld, TEN } from './stage-world.ts';

const REFUSED = { status: 422, body: { type: 'urn:payhooks:problem:portal-code-refused' } };

test('a link is exchanged once, and its session does what it was made for until its end', async () => {
  const { made, exchange, call, world, operators } = stageWorld();
  const code = await made('analyst', 3_600);
  const { status, body } = await exchange(code);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    stage: 'analyst',
    deployment: { name: 'dev', account: '111122223333' },
    expires_at: '2026-11-14T11:00:00.000Z',
  });
  expect(await exchange(code)).toMatchObject(REFUSED);

  expect((await call('GET', '/stage/endpoints', body.token)).status).toBe(200);
  world.nowMs = TEN + 3_600_000;
  expect((await call('GET', '/stage/endpoints', body.token)).status).toBe(401);
  expect(operators.entries.map(({ command, who }) => [command, who.split('/').at(-1)])).toEqual([
    ['console', 'ada'],
    ['console opened', 'ada'],
  ]);
  expect(JSON.stringify(operators.entries)).not.toMatch(new RegExp(`${code}|${body.token}`));
});

test('after ten minutes, and for a code that nobody made, the answer is the same', async () => {
  const { made, exchange, world } = stageWorld();
  const code = await made('on-call');
  world.nowMs = TEN + 600_000;
  expect(await exchange(code)).toMatchObject(REFUSED);
  expect(await exchange('phc_stage_none')).toMatchObject(REFUSED);
});

test('whoever may make links of one kind ends sessions of that kind, and no others', async () => {
  const { signedIn, link, call } = stageWorld();
  const { token, session_id } = await signedIn('on-call');
  const end = { end: { who: 'me', session_id } };
  expect(await link('analyst', end)).toEqual({ ended: false });
  expect((await call('GET', '/stage/endpoints', token)).status).toBe(200);
  expect(await link('on-call', end)).toEqual({ ended: true });
  expect((await call('GET', '/stage/endpoints', token)).status).toBe(401);
});

test.each([{}, { make: { who: 'me', lasts_seconds: 43_201 } }, { make: { who: '', lasts_seconds: 300 } }])(
  'a request such as %j makes nothing',
  async (request) => {
    const { link, operators } = stageWorld();
    await expect(link('on-call', request)).rejects.toThrow();
    expect(operators.entries).toEqual([]);
  },
);

test('a link that cannot be recorded is not made', async () => {
  const { link, operators, exchange } = stageWorld();
  Object.assign(operators.trail, { begin: () => Promise.reject(new Error('no trail')) });
  await expect(link('on-call', { make: { who: 'me', lasts_seconds: 300 } })).rejects.toThrow('no trail');
  expect(await exchange('phc_stage_none')).toMatchObject(REFUSED);
});

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
  expect(JSON.stringify(operators.changes)).not.toMatch(/["/]ada|stg_/);
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

test("a queue's URL is that of its neighbour with its own name", () => {
  const base = 'https://sqs.eu-west-1.amazonaws.com/111122223333';
  expect(lookedAt({ 'events-oldest': 'Events.fifo', 'rule-dead-letters': 'Rule' }, `${base}/Timers`)).toEqual(
    [
      {
        runbook: 'events-oldest',
        kind: 'work',
        worker: 'match',
        name: 'Events.fifo',
        url: `${base}/Events.fifo`,
      },
      { runbook: 'rule-dead-letters', kind: 'dead_letters', name: 'Rule', url: `${base}/Rule` },
    ],
  );
});
