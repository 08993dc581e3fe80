import { localAccess } from '../../../cli/stage/stage-access.ts';
import { VERIFIERS } from '../../slow/examples/verify/http-signatures.ts';
import { configAs } from '../../support/access/assumed-role.ts';
import { partner } from '../../support/deployed/own-partner.ts';
import { service } from '../../support/deployed/own-service.ts';
import { stack } from '../../support/deployed/shared-stack.ts';
import { subscribed } from '../../support/deployed/signed-subscriptions.ts';
import { eventually } from '../../support/eventually.ts';
import type { Arrival } from '../../support/network/scripted-partner.ts';
import { ops } from '../../support/operator-run.ts';

const KEY_SET = '/v1/.well-known/jwks.json';

type KeySet = { readonly keys: readonly { readonly kid: string; readonly expires_at?: string }[] };

/** As anybody sees it. */
async function keySet(): Promise<KeySet> {
  const answer = await fetch(`${stack.outputs.apiUrl}${KEY_SET}`);
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'public, max-age=3600']);
  return answer.json() as Promise<KeySet>;
}

async function runAs(role: 'OnCall' | 'Operator', ...args: readonly string[]): Promise<string> {
  const config = await configAs(role, stack.outputs.endpoint);
  try {
    return (await ops(args, { access: async () => localAccess(stack.outputs, config) })).printed;
  } catch (error) {
    return (error as Error).name;
  }
}

const keyIdOf = ({ headers }: Arrival) => /keyid="([^"]+)"/.exec(String(headers['signature-input']))?.[1];

async function isSigned(arrival: Arrival, url: string, { keys }: KeySet): Promise<boolean> {
  const headers = arrival.headers as Record<string, string>;
  const [said] = await VERIFIERS['http-message-signatures for Node']!([
    { url, headers, body: String(arrival.body), keys },
  ]);
  return said === true;
}

test('partners verify with the key set alone, before, during and after a rotation, which the operator alone can do', async () => {
  const { next, end } = await subscribed({ extra_signatures: ['rfc9421'] });
  const before = await keySet();
  const first = await next();
  const url = partner.url(first.endpoint);
  expect(await isSigned(first, url, before)).toBe(true);
  expect(await isSigned(first, `${url}/other`, before)).toBe(false);

  expect(await runAs('OnCall', 'stage-keys', 'rotate', '--yes')).toMatch(/^AccessDenied/);
  expect(await runAs('Operator', 'stage-keys', 'rotate')).toContain('Nothing was changed. --yes does it.');
  const rotated = await runAs('Operator', 'stage-keys', 'rotate', '--yes');
  expect(await runAs('Operator', 'stage-keys', 'list')).toBe(rotated);
  expect(await runAs('Operator', 'audit')).toContain('stage-keys rotate');
  const [newest] = rotated.split('\n')[1]!.trim().split(' ');

  // The old key signs for another day, and the new one is listed.
  const second = await next();
  expect(keyIdOf(second)).toBe(keyIdOf(first));
  await eventually('the new key is listed', async () => (await keySet()).keys[0]?.kid === newest);
  expect(await isSigned(second, url, await keySet())).toBe(true);

  // As if the old one had leaked.
  await runAs('Operator', 'stage-keys', 'rotate', '--overlap-hours', '0', '--yes');
  await eventually('the new key alone is listed', async () => (await keySet()).keys.length === 1);
  const after = await keySet();
  // Both the api and deliver remember for up to a minute what they have read.
  const third = await eventually('the new key signs', async () => {
    const arrival = await next();
    return keyIdOf(arrival) === after.keys[0]?.kid && arrival;
  });
  expect(keyIdOf(third)).not.toBe(newest);
  expect(await isSigned(third, url, after)).toBe(true);
  expect(await isSigned(third, url, before)).toBe(false);
  await end();
}, 300_000);

test('nobody needs a token to see the keys, and nobody changes them there', async () => {
  const url = `${stack.outputs.apiUrl}${KEY_SET}`;
  expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(401);
  expect((await service.call('POST', '/.well-known/jwks.json', {})).status).toBe(405);
  const bodies = await Promise.all(Array.from({ length: 50 }, async () => (await fetch(url)).text()));
  expect(new Set(bodies).size).toBe(1);
  expect(bodies[0]).not.toMatch(/"d"|private/);
});
