import { request as requestPlain } from 'node:http';
import { request as requestTls } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { dnsResolver } from '../../../functions/adapters/http/dns-resolver.ts';
import { testOnlyAuthority } from '../../support/network/test-only-authority.ts';

/** Calls a URL as a client without a guard would; resolves when the request has ended, successful or not. */
type CarelessClient = (url: string) => Promise<void>;

export function carelessClient(nameServer: string): CarelessClient {
  const resolve = dnsResolver([nameServer]);
  const lookup: LookupFunction = (hostname, { all }, callback) => {
    resolve(hostname).then(
      ([address = '']) => {
        const family = isIP(address);
        return all ? callback(null, [{ address, family }]) : callback(null, address, family);
      },
      (error) => callback(error, '', 0),
    );
  };
  return (url) =>
    new Promise((done) => {
      const send = URL.parse(url)?.protocol === 'http:' ? requestPlain : requestTls;
      const options = {
        method: 'POST',
        agent: false,
        timeout: 2_000,
        lookup,
        ca: testOnlyAuthority,
      } as const;
      const request = send(url, options, (response) => response.resume().on('close', done));
      request
        .on('error', () => done())
        .on('timeout', () => request.destroy())
        .end('{}');
    });
}
