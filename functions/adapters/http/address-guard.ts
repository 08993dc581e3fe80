import { isIP } from 'node:net';
import { refusedAddress } from '../../core/subscription/address-ranges.ts';
import { dnsResolver, type Resolve } from './dns-resolver.ts';
import { NotConnectedError } from './not-connected-error.ts';

/** The only addresses that a connection may then be made to. */
export type VettedAddresses = readonly { readonly address: string; readonly family: number }[];

export interface AddressGuard {
  /**
   * Looks the name up, once, vets every address it has, and answers those that can be connected to. Use the answer for one connection and no other: the next
   * look-up may answer otherwise, and has to be vetted again.
   *
   * @param host a DNS name, or an IP address without brackets
   * @throws NotConnectedError of class `dns` when there is no address, or none that can be connected to; `blocked_address` when a single one is refused: a name
   * that leads to a private and a public address is not a mistake to be generous with
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
  /**
   * Whether names may be called over IPv6. Lambda has no way out over it, neither outside of a VPC nor in ours: an address of that kind would only shorten
   * the time that one of IPv4 has. Source: "Giving Lambda functions access to resources in an Amazon VPC", AWS Lambda Developer Guide. @default false
   */
  readonly hasIpv6?: boolean;
  /** Hears of each address that was refused, and why: for those who operate this. Whoever has made up the name is told that it was, and no more. */
  readonly onRefused?: OnRefused;
}

/** @param host `the peer` when it is the other end of a connection */
export type OnRefused = (host: string, reason: string) => void;

/** Keeps webhooks out of private networks. Source of the attack: OWASP, "Server-Side Request Forgery", DNS pinning. */
export function addressGuard({
  allowLoopback,
  resolve = dnsResolver(),
  hasIpv6 = false,
  onRefused = () => {},
}: AddressGuardOptions): AddressGuard {
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
          onRefused(host, reason);
          // Without the address: with a name server that answers us otherwise than the world, it would tell of our network.
          throw new NotConnectedError('blocked_address', `${host} leads where no webhook may go`);
        }
      }
      const callable =
        hasIpv6 || isLocal(host) ? addresses : addresses.filter((address) => isIP(address) === 4);
      if (callable.length === 0) {
        throw new NotConnectedError(
          'dns',
          `${host} has IPv6 addresses only, and webhooks are sent over IPv4`,
        );
      }
      return callable.map((address) => ({ address, family: isIP(address) }));
    },

    vetPeer(address) {
      const reason = refusedAddress(address ?? 'an unknown peer', allowLoopback);
      if (reason !== undefined) {
        onRefused('the peer', reason);
        throw new NotConnectedError('blocked_address', 'the connection leads where no webhook may go');
      }
    },
  };
}

/** What is not looked up: an address, which is what whoever wrote it meant, and the machine itself. */
function isLocal(host: string): boolean {
  return isIP(host) !== 0 || host === 'localhost';
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
