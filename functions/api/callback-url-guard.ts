import type { AddressGuard } from '../adapters/address-guard.ts';
import { NotConnectedError } from '../adapters/not-connected-error.ts';
import {
  type Callback,
  type CallbackUrlRules,
  type VettedUrl,
  vetCallbackUrl,
} from '../core/callback-url.ts';

export interface CallbackUrlGuard {
  /** Judges a callback URL and the addresses behind it; `reason` is a sentence for the partner. */
  vet(callback: Callback): Promise<VettedUrl>;
}

/**
 * The guard of every attempt, asked once more when a URL is registered: a partner learns at once what would never be delivered. Nothing is
 * looked up for a URL that is refused by its text.
 */
export function callbackUrlGuard(
  rules: CallbackUrlRules,
  addresses: Pick<AddressGuard, 'vet'>,
): CallbackUrlGuard {
  return {
    async vet(callback) {
      const vetted = vetCallbackUrl(callback, rules);
      if (vetted.kind === 'refused') {
        return vetted;
      }
      try {
        await addresses.vet(new URL(vetted.url).hostname.replace(/^\[(.*)\]$/, '$1'));
        return vetted;
      } catch (error) {
        if (!(error instanceof NotConnectedError)) {
          throw error;
        }
        return {
          kind: 'refused',
          reason: `The host of the callback URL cannot be called: ${error.message}.`,
        };
      }
    },
  };
}
