import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { subscriptionAddress } from '../../../functions/adapters/dynamodb/subscriptions/subscription-reader.ts';
import { MAX_SUBSCRIPTIONS_PER_SERVICE } from '../../../functions/core/subscription/subscription.ts';
import type { Service } from '../../support/deployed/deployed-stack.ts';
import type { StrictStack } from './strict-stack.ts';

/** A subscription whose callback URL was never checked. */
export interface Unvetted<Row> {
  readonly row: Row;
  readonly service: Service;
  readonly id: string;
}

/** Creates subscriptions with these callback URLs, as if each had been harmless at registration. */
export async function subscribeUnvetted<Row extends { readonly url: string }>(
  stack: StrictStack,
  rows: readonly Row[],
): Promise<Unvetted<Row>[]> {
  const services = chunks(rows, MAX_SUBSCRIPTIONS_PER_SERVICE).map(async (ofService) => {
    const service = await stack.newService();
    const subscriptions: Unvetted<Row>[] = [];
    for (const row of ofService) {
      const { id } = await service.subscribe(`https://innocent.hostile.test:${stack.listeners.port}/`);
      await replaceCallbackUrl(stack, service, id, row.url);
      subscriptions.push({ row, service, id });
    }
    return subscriptions;
  });
  return (await Promise.all(services)).flat();
}

/** Bypasses the API, which would check it. */
async function replaceCallbackUrl(stack: StrictStack, { serviceId }: Service, id: string, url: string) {
  await stack.dynamodb.send(
    new UpdateItemCommand({
      TableName: stack.outputs.tables.subscriptions,
      Key: marshall(subscriptionAddress({ service_id: serviceId, subscription_id: id })),
      UpdateExpression: 'SET callback_url = :url',
      ConditionExpression: 'attribute_exists(callback_url)',
      ExpressionAttributeValues: marshall({ ':url': url }),
    }),
  );
}

function chunks<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}

/** A callback URL that probes our network. */
export interface HostileUrl {
  readonly why: string;
  readonly url: string;
  /**
   * Whether a client without a guard reaches the listeners with it. The other URLs lead where no test may go,
   * or nowhere.
   */
  readonly reachesListener: boolean;
  /** The answer to its registration: 503 where the name server fails. */
  readonly registration: 400 | 422 | 503;
  /** The result of an attempt on it. */
  readonly failureClass: 'blocked_address' | 'dns';
}

/** Hosts of URLs with which a client without a guard reaches the loopback. */
export const LOOPBACK_SPELLINGS = [
  ['the loopback', '127.0.0.1'],
  ['the loopback as one decimal number', '2130706433'],
  ['the loopback as one hexadecimal number', '0x7f000001'],
  ['the loopback as one octal number', '017700000001'],
  ['the loopback with a hexadecimal part', '0x7F.0.0.1'],
  ['the loopback with an octal part', '0177.0.0.1'],
  ['the loopback with leading zeros', '127.000.000.001'],
  ['the loopback in two parts', '127.1'],
  ['the loopback in three parts', '127.0.1'],
  ['the loopback in two parts, one hexadecimal', '0x7f.1'],
  ['the loopback with a final dot', '127.0.0.1.'],
  ['the loopback with a final dot, percent-encoded', '127.0.0.1%2e'],
  ['the loopback, percent-encoded', '%31%32%37.0.0.1'],
  ['the loopback in circled digits', '①②⑦.⓪.⓪.①'],
  ['the loopback in full-width digits', '１２７.０.０.１'],
  ['the loopback with ideographic full stops', '127。0。0。1'],
  ['the loopback with a soft hyphen', '127.0.\u00AD0.1'],
  ['the address of this network, which sockets treat as the loopback', '0.0.0.0'],
  ['the address of this network as one number', '0'],
  ['the IPv6 loopback', '[::1]'],
  ['the IPv6 loopback, in full', '[0:0:0:0:0:0:0:1]'],
  ['the unspecified IPv6 address, which sockets treat as the loopback', '[::]'],
  ['the loopback, IPv4-mapped', '[::ffff:127.0.0.1]'],
  ['the loopback, IPv4-mapped in hexadecimal', '[::ffff:7f00:1]'],
] as const;

/** Others that must not be called, or cannot be. */
export const OTHER_ADDRESSES = [
  ['the rest of the loopback network', '127.0.0.2'],
  ['the loopback, IPv4-compatible', '[::127.0.0.1]'],
  ['the loopback behind NAT64', '[64:ff9b::7f00:1]'],
  ['the loopback behind 6to4', '[2002:7f00:1::1]'],
  ['the loopback behind Teredo', '[2001:0:808:808::80ff:fffe]'],
  ['a link-local address', '[fe80::1]'],
  ['a link-local address with a zone', '[fe80::1%25lo]'],
  ['the instance metadata address', '169.254.169.254'],
  ['the instance metadata address as one number', '2852039166'],
  ['the metadata, IPv4-mapped', '[::ffff:169.254.169.254]'],
  ['the instance metadata address of IPv6', '[fd00:ec2::254]'],
  ['a private network', '10.0.0.1'],
  ['another private network', '192.168.1.1'],
  ['even a public address', '8.8.8.8'],
] as const;
