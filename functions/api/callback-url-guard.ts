import type { AddressGuard } from '../adapters/http/address-guard.ts';
import { NotConnectedError } from '../adapters/http/connection-failure.ts';
import {
  type Callback,
  type CallbackUrlRules,
  type VettedUrl,
  vetCallbackUrl,
} from '../core/subscription/callback-url.ts';

export interface CallbackUrlGuard {
  /** Whether a host has to answer a challenge before it gets events. @default false */
  readonly mustBeProven?: boolean;
  /**
   * Checks a callback URL and the addresses behind it; `reason` is a sentence for the partner. `undecided`
   * when the name servers did not answer: a retry may succeed.
   */
  vet(callback: Callback): Promise<VettedUrl | { readonly kind: 'undecided'; readonly reason: string }>;
}

/**
 * Applies the checks of every attempt when a URL is registered, so that a partner learns at once what would
 * never be delivered. Looks up no host if the URL itself is refused.
 */
export function callbackUrlGuard(
  rules: CallbackUrlRules,
  addresses: Pick<AddressGuard, 'vet'>,
): CallbackUrlGuard {
  return {
    mustBeProven: rules.mustBeProven ?? false,
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

/** Whether the next look-up would fail the same way: the name has no address, or a forbidden one. */
function isLasting({ failureClass, cause }: NotConnectedError): boolean {
  const code = (cause as NodeJS.ErrnoException | undefined)?.code;
  return failureClass !== 'dns' || code === undefined || ['ENOTFOUND', 'ENODATA', 'EBADNAME'].includes(code);
}
