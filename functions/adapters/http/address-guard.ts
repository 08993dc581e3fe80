import { isIP } from 'node:net';
import { refusedAddress } from '../../core/subscription/address-ranges.ts';
import { NotConnectedError } from './connection-failure.ts';
import { dnsResolver, type Resolve } from './dns-resolver.ts';

/** The only addresses that a connection may be made to. */
export type VettedAddresses = readonly { readonly address: string; readonly family: number }[];

export interface AddressGuard {
  /**
   * Resolves the name once, checks every address, and returns those that can be connected to. Use the result
   * for one connection only: the next look-up may differ and must be checked again.
   *
   * @param host a DNS name, or an IP address without brackets
   * @throws NotConnectedError of class `dns` when there is no address that can be connected to;
   * `blocked_address` when any address is refused: a name with a private and a public address is not
   * a mistake to tolerate
   */
  vet(host: string): Promise<VettedAddresses>;
  /**
   * The second check, of the peer address that the operating system reports.
   *
   * @throws NotConnectedError of class `blocked_address`
   */
  vetPeer(address: string | undefined): void;
}

export interface AddressGuardOptions {
  readonly allowLoopback: boolean;
  readonly resolve?: Resolve;
  /**
   * Whether to connect over IPv6. Lambda has no outbound IPv6, neither outside a VPC nor in ours: an IPv6
   * address would only take time from an IPv4 one. Source: "Giving Lambda functions access to resources in an
   * Amazon VPC", AWS Lambda Developer Guide.
   *
   * @default false
   */
  readonly hasIpv6?: boolean;
  /**
   * Called with each refused address and the reason, for operators. The partner learns only that the name was
   * refused.
   */
  readonly onRefused?: OnRefused;
}

/** @param host `the peer` for the other end of a connection */
export type OnRefused = (host: string, reason: string) => void;

/**
 * Keeps webhooks out of private networks. Source of the attack: OWASP, "Server-Side Request Forgery", DNS
 * pinning.
 */
export function addressGuard({
  allowLoopback,
  resolve = dnsResolver(),
  hasIpv6 = false,
  onRefused = () => {},
}: AddressGuardOptions): AddressGuard {
  async function addressesOf(host: string): Promise<readonly string[]> {
    // An IP literal is never resolved, so it must be checked here.
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
          // Without the address: if our name server answers differently from public ones, it would reveal our
          // network.
          throw new NotConnectedError(
            'blocked_address',
            `${host} leads to an address that webhooks must not reach`,
          );
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
        throw new NotConnectedError(
          'blocked_address',
          'the connection leads to an address that webhooks must not reach',
        );
      }
    },
  };
}

/** Hosts that are not resolved: IP addresses, and localhost. */
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
