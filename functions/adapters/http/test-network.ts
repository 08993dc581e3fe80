import * as z from 'zod/mini';
import { dnsResolver, type Resolve } from './dns-resolver.ts';

/** Names and certificates of a test's own. The rules of where a webhook may go stay what they are. */
export const testNetworkSchema = z.strictObject({
  /** `address:port` */
  nameServers: z.array(z.string()).check(z.minLength(1)),
  /** Certificate authorities (PEM) to trust instead of Node's own. */
  ca: z.string(),
});
export type TestNetwork = z.infer<typeof testNetworkSchema>;

const VARIABLE = 'TEST_NETWORK';

/** The environment variables by which a function learns of a test's network; none on AWS, where no stage has one. */
export function testNetworkVariables(network: TestNetwork | undefined): Record<string, string> {
  return network === undefined ? {} : { [VARIABLE]: JSON.stringify(testNetworkSchema.parse(network)) };
}

/**
 * How a function finds its receivers and whom it trusts: the machine's name servers and Node's authorities, in a test those of the test.
 *
 * @throws when the variable is there and cannot be read
 */
export function networkOf(env: Readonly<Record<string, string | undefined>>): {
  readonly resolve: Resolve;
  readonly ca?: string;
  /** A test has receivers on the IPv6 loopback, to see that nobody gets to them. */
  readonly hasIpv6?: boolean;
} {
  const json = env[VARIABLE];
  if (json === undefined) {
    return { resolve: dnsResolver() };
  }
  const { nameServers, ca } = testNetworkSchema.parse(JSON.parse(json));
  return { resolve: dnsResolver(nameServers), ca, hasIpv6: true };
}
