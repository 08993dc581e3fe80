import type { AddressGuard } from '../../adapters/http/address-guard.ts';
import { NotConnectedError } from '../../adapters/http/not-connected-error.ts';
import {
  type Callback,
  type CallbackUrlRules,
  type VettedUrl,
  vetCallbackUrl,
} from '../../core/subscription/callback-url.ts';

export interface CallbackUrlGuard {
  /**
   * Judges a callback URL and the addresses behind it; `reason` is a sentence for the partner. `undecided` when the name servers did not answer:
   * asked again, they may.
   */
  vet(callback: Callback): Promise<VettedUrl | { readonly kind: 'undecided'; readonly reason: string }>;
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
          kind: isLasting(error) ? 'refused' : 'undecided',
          reason: `The host of the callback URL cannot be called: ${error.message}.`,
        };
      }
    },
  };
}

/** Whether the next look-up would end the same: the name has no address, or a bad one. */
function isLasting({ failureClass, cause }: NotConnectedError): boolean {
  const code = (cause as NodeJS.ErrnoException | undefined)?.code;
  return failureClass !== 'dns' || code === undefined || ['ENOTFOUND', 'ENODATA', 'EBADNAME'].includes(code);
}
