import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CallKms, KmsError, kmsClient } from '../../../../functions/adapters/kms/kms-client.ts';
import { kmsOpen, kmsSeal, openOnce } from '../../../../functions/adapters/kms/kms-sealing.ts';
import { UnopenableError } from '../../../../functions/adapters/kms/sealing.ts';

/** KMS with one key. It decrypts only under the context that a data key was made for. */
function kms() {
  const dataKeys = new Map<string, string>();
  const calls: string[] = [];
  let failure: string | undefined;
  const nameOf = (wrapped: unknown, context: unknown) => `${wrapped} ${JSON.stringify(context)}`;
  const client: CallKms = async (operation, { CiphertextBlob: given, EncryptionContext }) => {
    calls.push(operation);
    if (failure !== undefined) {
      throw new KmsError(failure, 400);
    }
    if (operation === 'Decrypt') {
      const Plaintext = dataKeys.get(nameOf(given, EncryptionContext));
      if (Plaintext === undefined) {
        throw new KmsError('InvalidCiphertextException', 400);
      }
      return { Plaintext, CiphertextBlob: '' };
    }
    const key = randomBytes(32);
    const CiphertextBlob = createHash('sha512').update(key).digest('base64');
    dataKeys.set(nameOf(CiphertextBlob, EncryptionContext), key.toString('base64'));
    return { Plaintext: key.toString('base64'), CiphertextBlob };
  };
  return {
    seal: kmsSeal(client, 'key'),
    open: kmsOpen(client, 'key'),
    calls,
    fail: (name: string | undefined) => {
      failure = name;
    },
  };
}

const LONG = 'whsec_€'.repeat(2_000);

test('what is sealed for a subscription opens for it, however long, and hides the text', async () => {
  const { seal, open } = kms();
  const sealed = await seal('sub_1', LONG);
  expect(Buffer.from(sealed).includes('whsec_')).toBe(false);
  expect(await open('sub_1', sealed)).toBe(LONG);
  expect(Buffer.from(await seal('sub_1', LONG)).equals(Buffer.from(sealed))).toBe(false);
});

test('a text of another subscription, an altered one and one cut short do not open, whoever tries again', async () => {
  const { seal, open } = kms();
  const sealed = Buffer.from(await seal('sub_1', 'whsec_1'));
  await expect(open('sub_2', sealed)).rejects.toThrow(UnopenableError);
  const altered = Buffer.from(sealed);
  altered.writeUInt8(altered.readUInt8(altered.length - 1) ^ 1, altered.length - 1);
  await expect(open('sub_1', altered)).rejects.toThrow(UnopenableError);
  for (const length of [0, 1, 40, sealed.length - 8]) {
    await expect(open('sub_1', sealed.subarray(0, length))).rejects.toThrow(UnopenableError);
  }
});

test.each(['KMSInternalException', 'ThrottlingException', 'DisabledException', 'AccessDeniedException'])(
  'what may pass is no property of the text: %s',
  async (name) => {
    const { seal, open, fail } = kms();
    const sealed = await seal('sub_1', 'whsec_1');
    fail(name);
    await expect(open('sub_1', sealed)).rejects.toMatchObject({ name });
  },
);

test('KMS is asked once for each text in the life of an environment, and again after a failure', async () => {
  const { seal, open, calls, fail } = kms();
  const opening = openOnce(open, 2);
  const [one, two, three] = await Promise.all(['1', '2', '3'].map((text) => seal('sub_1', text)));
  calls.length = 0;
  fail('ThrottlingException');
  await expect(opening('sub_1', one!)).rejects.toThrow();
  fail(undefined);
  expect(await Promise.all([opening('sub_1', one!), opening('sub_1', one!)])).toEqual(['1', '1']);
  expect(await opening('sub_1', two!)).toBe('2');
  expect(calls).toHaveLength(3);
  // The least recently used is forgotten.
  await opening('sub_1', three!);
  await opening('sub_1', one!);
  expect(calls).toHaveLength(5);
  // Its text is not that of another subscription.
  await expect(opening('sub_2', one!)).rejects.toThrow(UnopenableError);
});

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
