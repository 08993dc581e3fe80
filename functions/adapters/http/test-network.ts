import * as z from 'zod/mini';
import { dnsResolver, type Resolve } from './dns-resolver.ts';

/** Name servers and certificate authorities of a test. The rules for addresses stay the same. */
export interface TestNetwork {
  /** `address:port` */
  readonly nameServers: readonly string[];
  /** Certificate authorities (PEM) to trust instead of Node's own. */
  readonly ca: string;
}

/** @internal */
export const testNetworkSchema = z.strictObject({
  nameServers: z.array(z.string()).check(z.minLength(1)),
  ca: z.string(),
}) satisfies z.ZodMiniType<TestNetwork>;

const VARIABLE = 'TEST_NETWORK';

/** The environment variables that give a function the network of a test; on AWS no stage sets them. */
export function testNetworkVariables(network: TestNetwork | undefined): Record<string, string> {
  return network === undefined ? {} : { [VARIABLE]: JSON.stringify(testNetworkSchema.parse(network)) };
}

/**
 * How a function resolves names and which authorities it trusts: the defaults of the machine and of Node, or
 * those of a test.
 *
 * @throws when the variable is set and cannot be read
 */
export function networkOf(env: Readonly<Record<string, string | undefined>>): {
  readonly resolve: Resolve;
  readonly ca?: string;
  /** A test has endpoints on the IPv6 loopback, to prove that none is reached. */
  readonly hasIpv6?: boolean;
} {
  const json = env[VARIABLE];
  if (json === undefined) {
    return { resolve: dnsResolver() };
  }
  const { nameServers, ca } = testNetworkSchema.parse(JSON.parse(json));
  return { resolve: dnsResolver(nameServers), ca, hasIpv6: true };
}
