import { createHash } from 'node:crypto';
import { service } from '../../support/deployed/own-service.ts';
import { stack } from '../../support/deployed/shared-stack.ts';

test('each way not to be known is told apart, and what is stored of a token is none', async () => {
  const hash = createHash('sha256').update(service.token).digest();
  const tokens = {
    none: undefined,
    'no scheme': service.token,
    nonsense: 'Bearer nonsense',
    cut: `Bearer ${service.token.slice(0, -1)}`,
    unknown: `Bearer phk_${'A'.repeat(43)}`,
    'the hash': `Bearer phk_${hash.toString('base64url')}`,
  };
  const details: Record<string, string> = {};
  for (const [name, authorization] of Object.entries(tokens)) {
    const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
    const { status, body } = await stack.request('GET', '/subscriptions', { headers });
    expect(status).toBe(401);
    const { detail } = body;
    expect(detail).not.toContain(service.token.slice(4, 12));
    details[name] = detail;
  }
  const { none, nonsense, unknown } = details;
  expect(new Set([none, details['no scheme'], nonsense, unknown]).size).toBe(4);
  expect([details.cut, details['the hash']]).toEqual([nonsense, unknown]);
});

test('a portal session needs no body', async () => {
  const { status, body } = await service.call('POST', '/portal-sessions');
  expect({ status, body }).toMatchObject({
    status: 201,
    body: { rights: 'read', console_path: expect.stringMatching(/^\/v1\/console#code=phc_/) },
  });
});
