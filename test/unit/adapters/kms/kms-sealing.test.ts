import { createHash, randomBytes } from 'node:crypto';
import { type CallKms, KmsError } from '../../../../functions/adapters/kms/kms-client.ts';
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
