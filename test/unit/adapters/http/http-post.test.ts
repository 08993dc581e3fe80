import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { type HttpPost, httpPost } from '../../../../functions/adapters/http/http-post.ts';
import { parseCallbackUrlRules } from '../../../../functions/core/subscription/callback-url.ts';
import { eventually } from '../../../support/eventually.ts';
import { type Answer, type RawServer, rawServer, response } from '../../../support/network/raw-server.ts';

const AMPLE_MS = 5_000;
const SHORT_MS = 150;

const post = httpPost({ rules: parseCallbackUrlRules('{"allowLoopback": true}') });

let server: RawServer;

afterEach(() => server?.close());

async function receiver(answer?: Answer): Promise<void> {
  server = await rawServer(answer);
}

function send(overrides: Partial<Parameters<HttpPost>[0]> = {}): ReturnType<HttpPost> {
  return post({
    live: false,
    url: `http://127.0.0.1:${server.port}/hooks?tenant=a`,
    headers: { 'webhook-id': 'msg_1', 'content-type': 'application/json; charset=utf-8' },
    body: '{"a":"é"}',
    deadlineMs: AMPLE_MS,
    ...overrides,
  });
}

const duration_ms = expect.any(Number);

describe('a successful exchange', () => {
  test('sends the request unchanged and returns the answer unchanged', async () => {
    await receiver((socket) => socket.write(response('200 OK', 'thanks')));

    expect(await send()).toEqual({ status_code: 200, response_body: 'thanks', duration_ms });
    expect(server.requests).toEqual([
      [
        'POST /hooks?tenant=a HTTP/1.1',
        `host: 127.0.0.1:${server.port}`,
        'connection: keep-alive',
        'webhook-id: msg_1',
        'content-type: application/json; charset=utf-8',
        'accept-encoding: identity',
        'content-length: 10',
        '',
        '{"a":"é"}',
      ].join('\r\n'),
    ]);
  });

  test.each([
    [
      'early hints first',
      `HTTP/1.1 103 Early Hints\r\nlink: </>\r\n\r\n${response('200 OK', 'ok')}`,
      200,
      'ok',
    ],
    ['an unrequested 100 Continue', `HTTP/1.1 100 Continue\r\n\r\n${response('200 OK', 'ok')}`, 200, 'ok'],
    [
      'several interim answers',
      `\r\nHTTP/1.1 103 Early Hints\r\nlink: </>\r\n\r\n\r\nHTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n${response('200 OK', 'ok')}`,
      200,
      'ok',
    ],
  ])('%s', async (_what, bytes, status_code, response_body) => {
    await receiver((socket) => socket.write(bytes));

    expect(await send()).toEqual({ status_code, response_body, duration_ms });
  });

  test('a connection is closed after its answer when too many are open', async () => {
    await receiver((socket) => socket.write(response('200 OK', 'ok')));
    const frugal = httpPost({ rules: parseCallbackUrlRules('{"allowLoopback": true}'), keptOpen: 1 });
    const request = {
      live: false,
      url: `http://127.0.0.1:${server.port}/`,
      headers: {},
      body: '{}',
      deadlineMs: AMPLE_MS,
    };
    const asked = () => server.requests.map((text) => /^connection: (.*)$/m.exec(text)?.[1]?.trim());

    await Promise.all([frugal(request), frugal(request)]);
    expect(asked()).toEqual(['keep-alive', 'keep-alive']);
    await frugal(request);
    expect(asked()[2]).toBe('close');
    for (let turn = 0; turn < 10; turn += 1) await nextTurn();
    await frugal(request);
    expect(asked()[3]).toBe('keep-alive');
  });

  test('a connection is reused', async () => {
    await receiver((socket) => socket.write(response('200 OK')));

    await send();
    await nextTurn();
    await send();

    expect([server.requests.length, server.connections()]).toEqual([2, 1]);
  });

  test('only the headers that decide what happens next are kept', async () => {
    await receiver((socket) =>
      socket.write(
        response('503 Busy', '', [
          'Retry-After: 120',
          'Webhook-Delivery: disable',
          'Set-Cookie: a=b',
          'retry-after: 5',
        ]),
      ),
    );

    expect((await send()).response_headers).toEqual({ 'retry-after': '120', 'webhook-delivery': 'disable' });
  });
});

describe('an answer that is not 2xx is a failure of class http_status', () => {
  test.each([
    ['410 Gone', 'answered 410 Gone'],
    ['503 Go away, <script>', 'answered 503 Service Unavailable'],
    ['429 Too Many Requests', 'answered 429 Too Many Requests'],
    ['500 Internal Server Error', 'answered 500 Internal Server Error'],
    ['799 Whatever', 'answered 799'],
  ])('%s', async (status, failure_reason) => {
    await receiver((socket) => socket.write(response(status, 'why')));

    expect(await send()).toEqual({
      status_code: Number(status.slice(0, 3)),
      response_body: 'why',
      failure_class: 'http_status',
      failure_reason,
      duration_ms,
    });
  });

  test.each(['301 Moved Permanently', '302 Found', '307 Temporary Redirect', '308 Permanent Redirect'])(
    'a redirect is not followed: %s',
    async (status) => {
      await receiver((socket) =>
        socket.write(response(status, '', [`location: http://127.0.0.1:${server.port}/else`])),
      );

      expect(await send()).toMatchObject({
        failure_class: 'http_status',
        failure_reason: `answered ${status}`,
      });
      expect(server.requests).toHaveLength(1);
    },
  );

  test.each([
    [
      'never completed',
      (socket: Parameters<Answer>[0]) => socket.write('HTTP/1.1 410 Gone\r\ncontent-length: 9\r\n\r\nso'),
    ],
    [
      'cut off',
      (socket: Parameters<Answer>[0]) => socket.end('HTTP/1.1 410 Gone\r\ncontent-length: 9\r\n\r\nso'),
    ],
  ])('even when its body is %s: the status is enough', async (_how, answer) => {
    await receiver(answer);

    expect(await send({ deadlineMs: SHORT_MS })).toEqual({
      status_code: 410,
      response_body: 'so',
      failure_class: 'http_status',
      failure_reason: 'answered 410 Gone',
      duration_ms,
    });
  });
});

describe('at most 4 KB of a body are read and kept', () => {
  test('of an endless body, without waiting for the rest', async () => {
    await receiver((socket) => {
      const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
      const pour = () => {
        while (!socket.destroyed && socket.write(chunk)) {}
      };
      socket.on('drain', pour).write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
      pour();
    });

    expect(await send()).toEqual({ status_code: 200, response_body: 'x'.repeat(4096), duration_ms });
    await server.idle();
  });

  test('of a body that stops after exactly 4 KB without ending', async () => {
    await receiver((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9999\r\n\r\n');
      socket.write('x'.repeat(4000));
      setImmediate(() => socket.write('y'.repeat(96)));
    });

    expect((await send()).response_body).toBe('x'.repeat(4000) + 'y'.repeat(96));
  });

  test.each([
    ['a character cut in two is dropped', Buffer.from('€'.repeat(2000)), '€'.repeat(1365)],
    ['even when most of it had arrived', Buffer.from(`x${'😀'.repeat(2000)}`), `x${'😀'.repeat(1023)}`],
    ['invalid UTF-8 is replaced', Buffer.from('caf\xe9', 'latin1'), 'caf\ufffd'],
    ['replacements keep it within 4 KB', Buffer.alloc(5000, 0xff), '\ufffd'.repeat(1365)],
    ['a byte order mark is not text', Buffer.from('\ufeffok'), 'ok'],
  ])('%s', async (_what, body, text) => {
    await receiver((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n`);
      socket.write(body);
    });

    expect((await send()).response_body).toBe(text);
  });

  test('a compressed body is not decompressed', async () => {
    const bomb = gzipSync(Buffer.alloc(10_000_000));
    await receiver((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`);
      socket.write(bomb);
    });

    const { status_code, response_body } = await send();

    expect(status_code).toBe(200);
    expect(response_body!.slice(0, 2)).toBe('\u001f\ufffd');
    expect(Buffer.byteLength(response_body!)).toBeLessThanOrEqual(4096);
  });
});

/** Without that the worker looked late: beside other tests this process may, and then says so. */
function seenAtOnce({ looked_late_ms: _, ...result }: Awaited<ReturnType<typeof send>>) {
  const late = /, and our worker could not look until \d+ ms later$/;
  const { failure_reason } = result;
  return failure_reason === undefined
    ? result
    : { ...result, failure_reason: failure_reason.replace(late, '') };
}

describe('the deadline covers everything', () => {
  test.each<[string, Answer, object]>([
    ['there is no answer', () => {}, { failure_class: 'timeout', failure_reason: 'no answer within 150 ms' }],
    [
      'headers arrive, then nothing',
      (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n'),
      {
        status_code: 200,
        response_body: '',
        failure_class: 'timeout',
        failure_reason: 'no complete answer within 150 ms',
      },
    ],
    [
      'headers never end',
      (socket) => drip(socket, 'HTTP/1.1 200 OK\r\n', 'a: b\r\n'),
      { failure_class: 'timeout', failure_reason: 'no answer within 150 ms' },
    ],
    [
      'early hints never end',
      (socket) => drip(socket, '', 'HTTP/1.1 103 Early Hints\r\n\r\n'),
      { failure_class: 'timeout', failure_reason: 'no answer within 150 ms' },
    ],
    [
      'the body trickles',
      (socket) => drip(socket, 'HTTP/1.1 200 OK\r\ncontent-length: 9999\r\n\r\n', 'x'),
      {
        status_code: 200,
        response_body: expect.stringMatching(/^x{2,}$/),
        failure_class: 'timeout',
        failure_reason: 'no complete answer within 150 ms',
      },
    ],
  ])('%s', async (_what, answer, outcome) => {
    await receiver(answer);

    const result = await send({ deadlineMs: SHORT_MS });

    expect(seenAtOnce(result)).toEqual({ ...outcome, duration_ms });
    expect(result.duration_ms).toBeGreaterThanOrEqual(SHORT_MS - 1);
    await server.idle();
  });

  test.each<[string, Answer, object]>([
    ['reads what came meanwhile', (socket) => socket.write(response('200 OK')), { status_code: 200 }],
    [
      'says so if nothing came',
      () => {},
      {
        failure_class: 'timeout',
        failure_reason: expect.stringMatching(
          /^no answer within 150 ms, and our worker could not look until/,
        ),
        looked_late_ms: expect.any(Number),
      },
    ],
  ])('a process that was stopped at the deadline %s', async (_, answer, outcome) => {
    await receiver((socket, request) => {
      answer(socket, request);
      const untilMs = performance.now() + 3 * SHORT_MS;
      while (performance.now() < untilMs);
    });
    expect(await send({ deadlineMs: SHORT_MS })).toMatchObject(outcome);
  });

  test('a hanging endpoint delays no other request, not even to itself', async () => {
    const held: Socket[] = [];
    await receiver((socket, request) => {
      if (request.startsWith('POST /ok')) {
        socket.write(response('200 OK'));
      } else {
        held.push(socket);
      }
    });
    const hanging = Array.from({ length: 20 }, () => send());
    const healthy = await Promise.all(
      Array.from({ length: 20 }, () => send({ url: `http://127.0.0.1:${server.port}/ok` })),
    );
    expect(healthy.map(({ status_code }) => status_code)).toEqual(Array(20).fill(200));

    // Only now are the others answered.
    await eventually('all hang', async () => held.length === 20, { everyMs: 5 });
    for (const socket of held) socket.write(response('200 OK'));
    expect((await Promise.all(hanging)).map(({ status_code }) => status_code)).toEqual(Array(20).fill(200));
  });
});

describe('a failed connection is a failure of class connect, and nothing is sent twice', () => {
  test('refused', async () => {
    await receiver();
    const { port } = server;
    await server.close();

    expect(await send()).toEqual({
      failure_class: 'connect',
      failure_reason: `no connection to 127.0.0.1 on port ${port} (ECONNREFUSED)`,
      duration_ms,
    });
    server = await rawServer();
  });

  test.each<[string, Answer, object]>([
    [
      'reset',
      (socket) => socket.resetAndDestroy(),
      {
        failure_class: 'connect',
        failure_reason: 'the connection was closed before the answer was complete',
      },
    ],
    [
      'closed without an answer',
      (socket) => socket.end(),
      {
        failure_class: 'connect',
        failure_reason: 'the connection was closed before the answer was complete',
      },
    ],
    [
      'closed within the body of a 200',
      (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nsome'),
      {
        status_code: 200,
        response_body: 'some',
        failure_class: 'connect',
        failure_reason: 'the connection was closed before the answer was complete',
      },
    ],
    [
      'a final answer shorter than announced',
      (socket) => socket.end('HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 9\r\n\r\nsome'),
      {
        status_code: 200,
        response_body: 'some',
        failure_class: 'connect',
        failure_reason: 'the answer is not as long as its content-length says',
      },
    ],
    [
      'an unrequested upgrade',
      (socket) =>
        socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n'),
      {
        failure_class: 'connect',
        failure_reason: 'the answer began with 101, which was not requested',
      },
    ],
  ])('%s', async (_what, answer, outcome) => {
    await receiver(answer);

    expect(await send()).toEqual({ ...outcome, duration_ms });
    expect(server.requests).toHaveLength(1);
  });

  test('closed when it is reused', async () => {
    await receiver((socket) =>
      server.requests.length === 1 ? socket.write(response('200 OK')) : socket.resetAndDestroy(),
    );

    expect((await send()).status_code).toBe(200);
    await nextTurn();
    expect(await send()).toMatchObject({ failure_class: 'connect' });
    expect([server.requests.length, server.connections()]).toEqual([2, 1]);
  });

  test('a connection closed while idle is not reused', async () => {
    await receiver((socket) => socket.end(response('200 OK')));

    expect((await send()).status_code).toBe(200);
    await server.idle();
    expect((await send()).status_code).toBe(200);
  });
});

test.each([
  ['one long line', `x-long: ${'x'.repeat(65_536)}\r\n`],
  ['many short ones', 'x-short: x\r\n'.repeat(4_000)],
])('more than 16 KB of headers is a failure of class oversized: %s', async (_what, headers) => {
  await receiver((socket) => socket.write(`HTTP/1.1 200 OK\r\n${headers}content-length: 0\r\n\r\n`));

  expect(await send()).toEqual({
    failure_class: 'oversized',
    failure_reason: 'answered with more than 16 KB of headers',
    duration_ms,
  });
});

describe('what is sent besides the body is limited, and more closes the connection', () => {
  /** Sends without end, as fast as it is read. */
  const pour = (head: string, more: string): Answer => {
    const much = more.repeat(Math.ceil(0x10000 / more.length));
    return (socket) => {
      const on = () => {
        while (!socket.destroyed && socket.write(much)) {}
      };
      socket.on('drain', on).write(head);
      on();
    };
  };
  const chunked = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n';

  test.each<[string, Answer, object]>([
    ['early hints', pour('', 'HTTP/1.1 103 Early Hints\r\n\r\n'), {}],
    ['go-aheads', pour('', 'HTTP/1.1 100 Continue\r\n\r\n'), {}],
    ['headers of an early hint', pour('HTTP/1.1 103 Early Hints\r\n', 'link: </>\r\n'), {}],
    ['blank lines', pour('', '\r\n'), {}],
    ['a reason phrase', pour('HTTP/1.1 200 ', 'x'), {}],
    ['a chunk extension', pour(`${chunked}1;`, 'x'), { status_code: 200, response_body: '' }],
    [
      'chunk extensions',
      pour(chunked, `1;${'x'.repeat(1_000)}\r\ny\r\n`),
      { status_code: 200, response_body: expect.stringMatching(/^y*$/) },
    ],
    ['zeros before a chunk size', pour(chunked, '0'), { status_code: 200, response_body: '' }],
  ])('%s', async (_what, answer, outcome) => {
    let taken = 0;
    await receiver((socket, request) => {
      answer(socket, request);
      socket.on('close', () => {
        taken = socket.bytesWritten;
      });
    });

    expect(await send()).toEqual({
      ...outcome,
      failure_class: 'oversized',
      failure_reason: 'answered with more than 64 KB in all',
      duration_ms,
    });
    await server.idle();
    // Whatever fits into the buffers of the operating systems has been sent and is discarded.
    expect(taken).toBeLessThan(20_000_000);
  });

  test('each attempt is counted from zero', async () => {
    const hints = 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(1_500);
    await receiver((socket) => socket.write(`${hints}${response('200 OK')}`));

    for (let attempt = 1; attempt <= 4; attempt += 1) {
      expect(await send()).toMatchObject({ status_code: 200 });
      await nextTurn();
    }
    expect(server.connections()).toBe(1);
  });

  test('also while no answer is awaited', async () => {
    await receiver((socket, request) => {
      socket.write(response('200 OK'));
      setImmediate(() => pour('', '\r\n')(socket, request));
    });

    expect(await send()).toMatchObject({ status_code: 200 });
    await server.idle();
  });
});

test('an invalid request of our own does not reject either', async () => {
  await receiver();

  expect(await send({ headers: { 'webhook-id': 'two\nlines' } })).toEqual({
    failure_class: 'connect',
    failure_reason: 'the request could not be sent: invalid webhook-id header',
    duration_ms,
  });
  expect(server.connections()).toBe(0);
});

function drip(socket: Parameters<Answer>[0], head: string, drop: string): void {
  socket.write(head);
  const timer = setInterval(() => socket.write(drop), 10);
  socket.on('close', () => clearInterval(timer));
}
