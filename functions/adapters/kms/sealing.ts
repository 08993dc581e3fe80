/**
 * Encrypts a text of a subscription. Who seals cannot open.
 */
export type Seal = (subscriptionId: string, text: string) => Promise<Uint8Array>;

/**
 * Decrypts a sealed text of this subscription.
 *
 * @throws UnopenableError
 */
export type Open = (subscriptionId: string, sealed: Uint8Array) => Promise<string>;

/** It was not sealed so, or for another subscription: no retry opens it. */
export class UnopenableError extends Error {
  override readonly name = 'UnopenableError';
}

export interface Sealing {
  readonly seal: Seal;
  readonly open: Open;
}

/** Of whoever reads subscriptions and writes no secrets. */
export const cannotSeal: Seal = () => Promise.reject(new Error('has no key to seal secrets with'));

/** Keeps the promises of both, in memory. */
export function inMemorySealing(key = 'the key'): Sealing {
  return {
    seal: async (subscriptionId, text) => Buffer.from(JSON.stringify([key, subscriptionId, text])),
    open: async (subscriptionId, sealed) => {
      const [by, owner, text] = JSON.parse(Buffer.from(sealed).toString());
      if (by !== key || owner !== subscriptionId) {
        throw new UnopenableError(`is sealed with ${by} for ${owner}`);
      }
      return text;
    },
  };
}
