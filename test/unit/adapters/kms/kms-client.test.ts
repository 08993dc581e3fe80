import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { kmsClient } from '../../../../functions/adapters/kms/kms-client.ts';

const credentials = {
  accessKeyId: 'AKIDEXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
  sessionToken: 'SESSION',
};

/** What KMS answers, call by call; the last answer stays. */
async function answering(...answers: readonly [status: number, body: string][]) {
  const requests: { headers: IncomingHttpHeaders; body: string }[] = [];
  const server = createServer(async (request, response) => {
    const [status, body] = answers[Math.min(requests.length, answers.length - 1)]!;
    const chunks = await request.toArray();
    requests.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
    response.writeHead(status).end(body);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const call = kmsClient({ region: 'eu-west-1', credentials, endpoint });
  return { call, requests, end: () => server.close() };
}

test('a call that is throttled or finds KMS in trouble is repeated, three times at most', async () => {
  const trouble = await answering(
    [400, '{"__type":"ThrottlingException"}'],
    [503, 'busy'],
    [200, '{"Plaintext":"a2V5"}'],
  );
  expect(await trouble.call('Decrypt', { KeyId: 'key' })).toEqual({ Plaintext: 'a2V5' });
  expect(trouble.requests.map(({ body }) => body)).toEqual(Array(3).fill('{"KeyId":"key"}'));
  expect(trouble.requests[0]?.headers).toMatchObject({
    'x-amz-target': 'TrentService.Decrypt',
    'x-amz-security-token': 'SESSION',
    authorization: expect.stringMatching(
      /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/eu-west-1\/kms\/aws4_request, SignedHeaders=.*host.*, Signature=[0-9a-f]{64}$/,
    ),
  });
  trouble.end();

  const lasting = await answering([500, '']);
  await expect(lasting.call('Decrypt', {})).rejects.toMatchObject({ name: 'UnknownError', status: 500 });
  expect(lasting.requests).toHaveLength(3);
  lasting.end();
});

test('what KMS refuses is told by its name, at once', async () => {
  const refusing = await answering([400, '{"__type":"com.amazonaws.kms#InvalidCiphertextException"}']);
  await expect(refusing.call('Decrypt', {})).rejects.toMatchObject({ name: 'InvalidCiphertextException' });
  expect(refusing.requests).toHaveLength(1);
  refusing.end();
});
