import { isIP } from 'node:net';
import { refusedAddress } from '../core/address-ranges.ts';
import { dnsResolver, type Resolve } from './dns-resolver.ts';
import { NotConnectedError } from './not-connected-error.ts';

/** The only addresses that a connection may then be made to. */
export type VettedAddresses = readonly { readonly address: string; readonly family: number }[];

export interface AddressGuard {
  /**
   * Looks the name up, once, and vets every address it has. Use the answer for one connection and no other: the next look-up may
   * answer otherwise, and has to be vetted again.
   *
   * @param host a DNS name, or an IP address without brackets
   * @throws NotConnectedError of class `dns` when there is no address, `blocked_address` when a single one is refused: a name that
   * leads to a private and a public address is not a mistake to be generous with
   */
  vet(host: string): Promise<VettedAddresses>;
  /**
   * The second look, at the address that the operating system says is at the other end.
   *
   * @throws NotConnectedError of class `blocked_address`
   */
  vetPeer(address: string | undefined): void;
}

export interface AddressGuardOptions {
  readonly allowLoopback: boolean;
  readonly resolve?: Resolve;
}

/** Keeps webhooks out of private networks. Source of the attack: OWASP, "Server-Side Request Forgery", DNS pinning. */
export function addressGuard({ allowLoopback, resolve = dnsResolver() }: AddressGuardOptions): AddressGuard {
  async function addressesOf(host: string): Promise<readonly string[]> {
    // A literal is never looked up, by nobody: it has to be vetted here or it would pass by the guard.
    if (isIP(host) !== 0) {
      return [host];
    }
    if (allowLoopback && host === 'localhost') {
      return ['127.0.0.1', '::1'];
    }
    try {
      return await resolve(host);
    } catch (error) {
      throw new NotConnectedError('dns', dnsSentence(host, error), error);
    }
  }

  return {
    async vet(host) {
      const addresses = await addressesOf(host);
      if (addresses.length === 0) {
        throw new NotConnectedError('dns', `${host} has no address`);
      }
      for (const address of addresses) {
        const reason = refusedAddress(address, allowLoopback);
        if (reason !== undefined) {
          throw new NotConnectedError('blocked_address', `${host} leads where no webhook may go: ${reason}`);
        }
      }
      return addresses.map((address) => ({ address, family: isIP(address) }));
    },

    vetPeer(address) {
      const reason = refusedAddress(address ?? 'an unknown peer', allowLoopback);
      if (reason !== undefined) {
        throw new NotConnectedError(
          'blocked_address',
          `the connection leads where no webhook may go: ${reason}`,
        );
      }
    },
  };
}

function dnsSentence(host: string, error: unknown): string {
  const { code = 'no reason given' } = error as NodeJS.ErrnoException;
  switch (code) {
    case 'ENOTFOUND':
      return `${host} does not exist`;
    case 'ENODATA':
      return `${host} has no address`;
    default:
      return `${host} could not be looked up (${code})`;
  }
}
