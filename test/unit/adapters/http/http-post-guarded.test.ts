import type { TLSSocket } from 'node:tls';
import type { Resolve } from '../../../../functions/adapters/http/dns-resolver.ts';
import { type HttpPost, httpPost } from '../../../../functions/adapters/http/http-post.ts';
import { parseCallbackUrlRules } from '../../../../functions/core/subscription/callback-url.ts';
import {
  type Answer,
  type RawServer,
  rawServer,
  rawTlsServer,
  response,
} from '../../../support/network/raw-server.ts';
import { testOnlyCertificate } from '../../../support/network/test-only-authority.ts';

let server: RawServer;

afterEach(() => server?.close());

const duration_ms = expect.any(Number);
const ok: Answer = (socket) => socket.write(response('200 OK', 'ok'));
const okOnce: Answer = (socket) => socket.end(response('200 OK', 'ok', ['connection: close']));

interface Circumstances {
  readonly resolve?: Resolve;
  readonly ca?: string;
  readonly allowLoopback?: boolean;
}

function postWhere({ resolve, ca, allowLoopback = true }: Circumstances): HttpPost {
  const rules = parseCallbackUrlRules(JSON.stringify({ allowedPorts: [443, server.port], allowLoopback }));
  return httpPost({ rules, resolve, ca });
}

function to(host: string, deadlineMs = 5_000): Parameters<HttpPost>[0] {
  return { url: `https://${host}:${server.port}/hooks`, live: false, headers: {}, body: '{}', deadlineMs };
}

/** A resolver that gives each answer in turn, and the names it was asked for. */
function resolver(...answers: readonly (readonly string[])[]): { resolve: Resolve; asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    resolve: async (hostname) => {
      asked.push(hostname);
      return answers[asked.length - 1] ?? [];
    },
  };
}

describe('with TLS', () => {
  const resolve: Resolve = async () => ['127.0.0.1'];

  test('a trusted certificate for the host lets the request through, as HTTP/1.1', async () => {
    server = await rawTlsServer(ok);

    expect(await postWhere({ resolve, ca: testOnlyCertificate })(to('Partner.TEST.'))).toEqual({
      status_code: 200,
      response_body: 'ok',
      duration_ms,
    });
    expect(server.requests[0]).toContain(`host: partner.test:${server.port}\r\n`);
  });

  test('the limit on an answer is the same as without', async () => {
    server = await rawTlsServer((socket) => {
      const pour = () => {
        while (!socket.destroyed && socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(1_000))) {}
      };
      socket.on('drain', pour);
      pour();
    });

    expect(await postWhere({ resolve, ca: testOnlyCertificate })(to('partner.test'))).toEqual({
      failure_class: 'oversized',
      failure_reason: 'answered with more than 64 KB in all',
      duration_ms,
    });
  });

  test('a second handshake within a connection is refused', async () => {
    server = await rawTlsServer(
      (socket) => (socket as TLSSocket).renegotiate({}, () => socket.write(response('200 OK'))),
      { maxVersion: 'TLSv1.2' },
    );

    expect(await postWhere({ resolve, ca: testOnlyCertificate })(to('partner.test', 300))).toMatchObject({
      failure_class: 'timeout',
    });
  });

  test('a later connection resumes the session of the first', async () => {
    const resumed: boolean[] = [];
    server = await rawTlsServer((socket, request) => {
      resumed.push((socket as TLSSocket).isSessionReused());
      okOnce(socket, request);
    });
    const post = postWhere({ resolve, ca: testOnlyCertificate });

    await post(to('partner.test'));
    await server.idle();
    await post(to('partner.test'));

    expect(resumed).toEqual([false, true]);
  });

  test.each([
    ['self-signed', 'partner.test', undefined, 'DEPTH_ZERO_SELF_SIGNED_CERT'],
    ['of another name', 'other.test', testOnlyCertificate, 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['of a name, for an address', '127.0.0.1', testOnlyCertificate, 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ])('a certificate that is %s is a failure of class tls', async (_what, host, ca, code) => {
    server = await rawTlsServer(ok);

    expect(await postWhere({ resolve, ca })(to(host))).toEqual({
      failure_class: 'tls',
      failure_reason: `the TLS handshake failed (${code})`,
      duration_ms,
    });
    expect(server.requests).toEqual([]);
    await server.idle();
  });

  test.each([
    ['speaks no TLS', 'HTTP/1.1 400 Bad Request\r\n\r\n', /^the TLS handshake failed \(ERR_SSL_/],
    ['hangs up', '', /^the TLS handshake failed \(ECONNRESET\)$/],
  ])('an endpoint that %s is a failure of class tls', async (_what, bytes, failure_reason) => {
    server = await rawServer();
    server.onConnection((socket) => socket.end(bytes));

    expect(await postWhere({ resolve })(to('partner.test'))).toEqual({
      failure_class: 'tls',
      failure_reason: expect.stringMatching(failure_reason),
      duration_ms,
    });
  });

  test('an endpoint that never answers the handshake times out', async () => {
    server = await rawServer();

    expect(await postWhere({ resolve })(to('partner.test', 100))).toEqual({
      failure_class: 'timeout',
      failure_reason: 'no connection within 100 ms',
      duration_ms,
    });
  });
});

describe('names', () => {
  test('are resolved once per connection, which then goes to the checked address', async () => {
    server = await rawTlsServer(okOnce);
    const { resolve, asked } = resolver(['127.0.0.1'], ['10.0.0.1']);
    const post = postWhere({ resolve, ca: testOnlyCertificate });

    expect((await post(to('partner.test'))).status_code).toBe(200);
    expect(asked).toEqual(['partner.test']);
  });

  test('that resolve differently for the next connection are checked again', async () => {
    server = await rawTlsServer(okOnce);
    const { resolve, asked } = resolver(['127.0.0.1'], ['10.0.0.1']);
    const post = postWhere({ resolve, ca: testOnlyCertificate });

    await post(to('partner.test'));
    await server.idle();

    expect(await post(to('partner.test'))).toEqual({
      failure_class: 'blocked_address',
      failure_reason: 'partner.test leads to an address that webhooks must not reach',
      duration_ms,
    });
    expect(asked).toHaveLength(2);
    expect(server.requests).toHaveLength(1);
  });

  test.each([
    ['to loopback', ['127.0.0.1']],
    ['to the metadata service', ['169.254.169.254']],
    ['to a public and a private address', ['93.184.216.34', '127.0.0.1']],
    ['to a private address in an IPv6 one', ['::ffff:10.0.0.1']],
  ])('that lead %s are a failure of class blocked_address', async (_where, addresses) => {
    server = await rawTlsServer(ok);
    const post = postWhere({ resolve: async () => addresses, ca: testOnlyCertificate, allowLoopback: false });

    expect(await post(to('partner.test'))).toMatchObject({ failure_class: 'blocked_address' });
    expect(server.connections()).toBe(0);
  });

  test('that do not exist are a failure of class dns', async () => {
    server = await rawServer();
    const resolve: Resolve = async () => {
      throw Object.assign(new Error('queryA ENOTFOUND'), { code: 'ENOTFOUND' });
    };

    expect(await postWhere({ resolve })(to('partner.test'))).toEqual({
      failure_class: 'dns',
      failure_reason: 'partner.test does not exist',
      duration_ms,
    });
  });

  test('with an address that refuses connections are tried at the next one', async () => {
    server = await rawTlsServer(ok);
    const post = postWhere({ resolve: async () => ['127.0.0.2', '127.0.0.1'], ca: testOnlyCertificate });

    expect((await post(to('partner.test'))).status_code).toBe(200);
  });

  test('whose look-up outlasts the deadline time out, and nothing is sent when it ends', async () => {
    server = await rawTlsServer(ok);
    const lookUp = Promise.withResolvers<readonly string[]>();
    const post = postWhere({ resolve: () => lookUp.promise, ca: testOnlyCertificate });

    expect(await post(to('partner.test', 50))).toEqual({
      failure_class: 'timeout',
      failure_reason: 'no connection within 50 ms',
      duration_ms,
    });
    lookUp.resolve(['127.0.0.1']);
    await server.idle();
    expect(server.requests).toEqual([]);
  });
});
