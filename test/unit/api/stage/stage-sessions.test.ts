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
