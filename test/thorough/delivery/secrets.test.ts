import { createHmac, createPublicKey, verify } from 'node:crypto';
import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { LambdaClient, paginateListFunctions } from '@aws-sdk/client-lambda';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { clientConfig } from '../../../cli/stage/local-account.ts';
import type { Item } from '../../../functions/adapters/dynamodb/marshalled.ts';
import { openSecrets } from '../../../functions/adapters/dynamodb/secrets/opened-secrets.ts';
import { kmsClient } from '../../../functions/adapters/kms/kms-client.ts';
import { kmsOpen } from '../../../functions/adapters/kms/kms-sealing.ts';
import type { Open } from '../../../functions/adapters/kms/sealing.ts';
import type { KeptSecrets } from '../../../functions/core/attempt/signing-keys.ts';
import { configAs } from '../../support/access/assumed-role.ts';
import { service } from '../../support/deployed/own-service.ts';
import { stack } from '../../support/deployed/shared-stack.ts';
import { subscribed, verifies } from '../../support/deployed/signed-subscriptions.ts';
import { eventually } from '../../support/eventually.ts';

test('while secrets overlap a receiver may verify with either, and then only with the new one', async () => {
  const { secret, rotate, next, end } = await subscribed();
  const { signing_secret, signing_secrets } = await rotate({ overlap_seconds: 15 });

  const during = await next();
  expect([verifies(during, secret), verifies(during, signing_secret)]).toEqual([true, true]);
  expect(String(during.headers['webhook-signature']).split(' ')).toHaveLength(2);

  const expiresAtMs = Date.parse(signing_secrets[1].expires_at);
  await eventually('the old one has expired', async () => Date.now() >= expiresAtMs);
  const after = await next();
  expect([verifies(after, secret), verifies(after, signing_secret)]).toEqual([false, true]);
  await end();
});

test('a webhook carries its partner’s headers, and the additional signatures that it asked for', async () => {
  const { path, secret, rotate, next, end } = await subscribed({
    custom_headers: { Authorization: 'Basic c2hvcDpodW50ZXIy', 'X-Shop': 'bakery' },
    extra_signatures: ['v1a', 'pay-signature'],
  });
  const { signing_secret } = await rotate();
  const webhook = await next();
  const { headers, body } = webhook;
  expect(headers).toMatchObject({ authorization: 'Basic c2hvcDpodW50ZXIy', 'x-shop': 'bakery' });
  expect(headers['pay-signature']).toBe(createHmac('sha256', secret).update(body).digest('hex'));

  expect([verifies(webhook, secret), verifies(webhook, signing_secret)]).toEqual([true, true]);
  const signatures = String(headers['webhook-signature']).split(' ');
  expect(signatures.map((signature) => signature.split(',')[0])).toEqual(['v1', 'v1', 'v1a', 'v1a']);
  const shown = await service.call('GET', path);
  const content = Buffer.from(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`);
  shown.body.signing_secrets.forEach(({ public_key }: { public_key: string }, index: number) => {
    const signature = Buffer.from(String(signatures[2 + index]).slice('v1a,'.length), 'base64');
    expect(verify(null, content, ed25519(public_key), signature)).toBe(true);
  });
  await end();
});

test('secrets are in the secrets table only, sealed so that deliver alone opens them, until the subscription is deleted', async () => {
  const { id, path, secret, end } = await subscribed({ custom_headers: { authorization: 'hunter2' } });
  await service.call('PATCH', path, { custom_headers: { authorization: 'hunter3' } });
  const { dynamodb, outputs } = stack;
  const itemOf = async (TableName: string, key: object) => {
    const { Item } = await dynamodb.send(new GetItemCommand({ TableName, Key: marshall(key) }));
    return Item && unmarshall(Item);
  };
  const kept = () => itemOf(outputs.tables.signingSecrets, { subscription_id: id });
  const opened = (open: Open, item: Item) => openSecrets(open, [item], (error) => Promise.reject(error));

  const subscription = await itemOf(outputs.tables.subscriptions, {
    service_id: service.serviceId,
    item: id,
  });
  expect(subscription).toMatchObject({ custom_header_names: ['authorization'] });
  const item = (await kept())!;
  expect(`${JSON.stringify(subscription)} ${readable(item)}`).not.toMatch(/whsec_|whsk_|hunter/);

  const [{ secrets, custom_headers }] = (await opened(await openAs('Deliver'), item)) as [KeptSecrets];
  expect(Object.values(secrets)).toMatchObject([{ secret, private_key: expect.stringMatching(/^whsk_/) }]);
  expect(custom_headers).toEqual({ authorization: 'hunter3' });
  // The api wrote it, and the person on call may read what waits.
  for (const role of ['Api', 'Doctor', 'Match', 'Wake', 'OnCall']) {
    await expect(opened(await openAs(role), item)).rejects.toMatchObject({ name: 'AccessDeniedException' });
  }

  await end();
  expect(await kept()).toBeUndefined();
});

/** Every text and every byte of an item. */
function readable(item: Item): string {
  return JSON.stringify(item, (_, value) =>
    value instanceof Object && 'type' in value && 'data' in value
      ? Buffer.from(value.data).toString()
      : value,
  );
}

async function openAs(role: string): Promise<Open> {
  const { endpoint } = stack.outputs;
  const lambda = new LambdaClient(clientConfig(endpoint));
  try {
    for await (const { Functions = [] } of paginateListFunctions({ client: lambda }, {})) {
      for (const { Environment } of Functions) {
        const key = Environment?.Variables?.SIGNING_SECRETS_KEY;
        if (key !== undefined) {
          return kmsOpen(kmsClient(await configAs(role, endpoint)), key);
        }
      }
    }
    throw new Error('no function knows the key');
  } finally {
    lambda.destroy();
  }
}

function ed25519(publicKey: string) {
  const x = Buffer.from(publicKey.slice('whpk_'.length), 'base64').toString('base64url');
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
}
