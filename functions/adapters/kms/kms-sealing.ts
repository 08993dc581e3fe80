import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { RecentlyUsed } from '../../runtime/recently-used.ts';
import type { CallKms } from './kms-client.ts';
import { type Open, type Seal, UnopenableError } from './sealing.ts';

const CIPHER = 'aes-256-gcm';
const LENGTH_BYTES = 2;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** KMS refuses to decrypt under another context, and CloudTrail shows it. */
const contextOf = (subscriptionId: string) => ({ subscription_id: subscriptionId });

/**
 * Seals each text with a data key of its own, which KMS encrypts: custom headers may be longer than the 4 KB
 * that KMS takes. Layout: length of the encrypted data key, that key, IV, tag, text.
 */
export function kmsSeal(kms: CallKms, keyId: string): Seal {
  return async (subscriptionId, text) => {
    const { Plaintext, CiphertextBlob } = await kms('GenerateDataKey', {
      KeyId: keyId,
      KeySpec: 'AES_256',
      EncryptionContext: contextOf(subscriptionId),
    });
    const wrappedKey = Buffer.from(CiphertextBlob, 'base64');
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(CIPHER, Buffer.from(Plaintext, 'base64'), iv, { authTagLength: TAG_BYTES });
    const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    const length = Buffer.alloc(LENGTH_BYTES);
    length.writeUInt16BE(wrappedKey.length);
    return Buffer.concat([length, wrappedKey, iv, cipher.getAuthTag(), encrypted]);
  };
}

/** @param keyId the only key it opens with, whatever key a stored text names */
export function kmsOpen(kms: CallKms, keyId: string): Open {
  return async (subscriptionId, sealed) => {
    const { wrappedKey, iv, tag, encrypted } = parts(Buffer.from(sealed));
    const dataKey = await decrypted(kms, keyId, subscriptionId, wrappedKey);
    try {
      const decipher = createDecipheriv(CIPHER, dataKey, iv, { authTagLength: TAG_BYTES }).setAuthTag(tag);
      return Buffer.concat([decipher.update(encrypted), decipher.final()]).toString();
    } catch {
      throw new UnopenableError('has been altered');
    }
  };
}

async function decrypted(
  kms: CallKms,
  keyId: string,
  subscriptionId: string,
  wrappedKey: Buffer,
): Promise<Buffer> {
  try {
    const { Plaintext } = await kms('Decrypt', {
      KeyId: keyId,
      CiphertextBlob: wrappedKey.toString('base64'),
      EncryptionContext: contextOf(subscriptionId),
    });
    return Buffer.from(Plaintext, 'base64');
  } catch (error) {
    const { name } = error as Error;
    // All others, such as a disabled key or a missing permission, concern everybody and may pass.
    if (name === 'InvalidCiphertextException' || name === 'IncorrectKeyException') {
      throw new UnopenableError('is sealed with another key, or for another subscription');
    }
    throw error;
  }
}

function parts(sealed: Buffer) {
  const keyEnd = LENGTH_BYTES + (sealed.length < LENGTH_BYTES ? 0 : sealed.readUInt16BE());
  const ivEnd = keyEnd + IV_BYTES;
  const tagEnd = ivEnd + TAG_BYTES;
  if (sealed.length < tagEnd) {
    throw new UnopenableError('is cut short');
  }
  return {
    wrappedKey: sealed.subarray(LENGTH_BYTES, keyEnd),
    iv: sealed.subarray(keyEnd, ivEnd),
    tag: sealed.subarray(ivEnd, tagEnd),
    encrypted: sealed.subarray(tagEnd),
  };
}

/** Some MB: four secrets each of a thousand subscriptions. */
const MAX_OPENED = 4_000;

/**
 * Opens each sealed text once in the life of an environment: asking KMS each minute would cost hundreds of
 * dollars a month. What a partner revokes is gone from the table, which is read again within a minute, so an
 * old text is never asked for.
 */
export function openOnce(open: Open, max = MAX_OPENED): Open {
  const opened = new RecentlyUsed<Promise<string>>(max);
  return (subscriptionId, sealed) => {
    const name = `${subscriptionId} ${Buffer.from(sealed).toString('base64')}`;
    const known = opened.get(name);
    if (known !== undefined) {
      return known;
    }
    const text = open(subscriptionId, sealed);
    opened.set(name, text);
    // A failure is not remembered. Whoever asked gets it.
    text.catch(() => opened.delete(name));
    return text;
  };
}
