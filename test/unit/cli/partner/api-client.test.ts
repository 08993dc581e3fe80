import { apiClient } from '../../../../cli/partner/api-client.ts';
import { connectionOf } from '../../../../cli/partner/connection.ts';
import { RefusedError } from '../../../../cli/partner/refused-error.ts';
import { ExplainedError } from '../../../../cli/terminal/explanation.ts';

const apiUrl = 'http://localhost:45999';

/** As `fetch` of Node tells that no answer came. */
function noAnswer(code: string): Error {
  return new TypeError('fetch failed', { cause: Object.assign(new Error(''), { code }) });
}

/** An API that gives these answers one after the other, the last one for ever. */
function clientOf(...answers: readonly (Response | Error)[]) {
  const waits: number[] = [];
  const keys: (string | null)[] = [];
  const client = apiClient(
    { apiUrl, token: 'phk_test', doubt: 'Is PAYHOOKS_API_URL right?' },
    {
      async fetch(_, request) {
        const answer = answers[Math.min(keys.length, answers.length - 1)];
        keys.push(new Headers(request?.headers).get('idempotency-key'));
        if (answer instanceof Response) {
          return answer;
        }
        throw answer;
      },
      wait: async (ms) => waits.push(ms),
    },
  );
  return { client, waits, keys };
}

/** Every answer of the API has an id. */
const ours = (body: object, headers: Record<string, string> = {}) =>
  Response.json(body, { headers: { 'x-request-id': 'req_1', ...headers } });

test('where nothing answers, the URL is told and doubted', async () => {
  const { client, keys } = clientOf(noAnswer('ECONNREFUSED'));
  await expect(client('GET', '/subscriptions')).rejects.toThrow(
    'Nothing answers at http://localhost:45999 (ECONNREFUSED). Is PAYHOOKS_API_URL right?',
  );
  expect(keys).toHaveLength(4);
});

test('a request with an idempotency key continues after a broken connection, with the same key', async () => {
  const { client, waits, keys } = clientOf(noAnswer('ECONNRESET'), ours({ message_id: 'msg_1' }));
  expect(await client('POST', '/messages/msg_1/resend')).toEqual({ message_id: 'msg_1' });
  expect(waits).toEqual([1_000]);
  expect(new Set(keys).size).toBe(1);
});

test.each([
  ['GET', 2],
  ['POST', 1],
])('after an internal error, a %s is sent %i times in all', async (method, times) => {
  const failed = Response.json({ message: 'Internal Server Error' }, { status: 500 });
  const { client, keys } = clientOf(failed, ours({ subscriptions: [] }));
  await client(method, '/subscriptions').catch(() => {});
  expect(keys).toHaveLength(times);
});

test.each(['PATCH', 'DELETE'])('a %s is not sent again: it may have been carried out', async (method) => {
  const { client, keys } = clientOf(noAnswer('UND_ERR_SOCKET'));
  await expect(client(method, '/subscriptions/sub_1')).rejects.toThrow(
    'The request may have been carried out: check.',
  );
  expect(keys).toHaveLength(1);
});

test.each([
  ['ENOTFOUND', 'Nothing answers at http://localhost:45999 (ENOTFOUND).'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'The certificate of http://localhost:45999 is not trusted'],
])('%s does not pass, and is told at once', async (code, sentence) => {
  const { client, waits } = clientOf(noAnswer(code));
  await expect(client('GET', '/subscriptions')).rejects.toThrow(sentence);
  expect(waits).toEqual([]);
});

test('no code of fetch is shown as a stack trace', async () => {
  const { client } = clientOf(new TypeError('fetch failed', { cause: new Error('bad port') }));
  await expect(client('GET', '/subscriptions')).rejects.toThrow(
    'The connection to http://localhost:45999 failed (bad port).',
  );
});

test('what is no trouble of the connection is passed on as it is', async () => {
  const internalError = new TypeError('Headers.append: invalid');
  await expect(clientOf(internalError).client('GET', '/subscriptions')).rejects.toBe(internalError);
});

test.each([
  [404, '<Error/>', 'application/xml', '404 with application/xml'],
  [200, '<html>', 'text/html; charset=utf-8', '200 with text/html'],
  [200, '{"ok":true}', 'application/json', '200 with application/json and no x-request-id'],
])('an answer %i with %s is not of the API', async (status, body, type, told) => {
  const { client } = clientOf(new Response(body, { status, headers: { 'content-type': type } }));
  await expect(client('GET', '/subscriptions', { query: { limit: '1' } })).rejects.toThrow(
    `http://localhost:45999/v1/subscriptions is not the Payhooks API: it answered ${told}. Is PAYHOOKS_API_URL right?`,
  );
});

test('the etag of an answer is one of its members', async () => {
  const { client } = clientOf(ours({ state: 'active' }, { etag: '"3"' }));
  expect(await client('GET', '/subscriptions/sub_1')).toEqual({ state: 'active', etag: '"3"' });
});

test('for programs a refusal is the problem document of the API, and any other error has a detail', () => {
  const problem = { title: 'No such thing', status: 404 };
  expect(new RefusedError('No such thing (404)', 404, problem).problem).toEqual(problem);
  expect(new ExplainedError('PAYHOOKS_TOKEN is empty.').problem).toEqual({
    detail: 'PAYHOOKS_TOKEN is empty.',
  });
});

test.each([
  'https://abc.example',
  'https://abc.example/',
  'https://abc.example/v1',
  ' https://abc.example/v1/ ',
])('%j leads to the API', async (url) => {
  expect(await connectionOf({ PAYHOOKS_API_URL: url, PAYHOOKS_TOKEN: 'phk_1\n' })).toMatchObject({
    apiUrl: 'https://abc.example',
    token: 'phk_1',
  });
});

test.each(['nonsense', '', 'localhost:4566', 'ftp://abc.example'])('%j is no URL of an API', async (url) => {
  await expect(connectionOf({ PAYHOOKS_API_URL: url, PAYHOOKS_TOKEN: 'phk_1' })).rejects.toThrow(
    `PAYHOOKS_API_URL must be a URL such as https://abc.execute-api.eu-west-1.amazonaws.com, not "${url}"`,
  );
});

test.each([
  ['', 'PAYHOOKS_TOKEN is empty.'],
  ['phk_ sesame', 'PAYHOOKS_TOKEN is not a token: it has spaces'],
])('the token %j is refused, and not repeated', async (token, sentence) => {
  const refused = connectionOf({ PAYHOOKS_API_URL: 'https://abc.example', PAYHOOKS_TOKEN: token });
  await expect(refused).rejects.toThrow(sentence);
  await expect(refused).rejects.not.toThrow('sesame');
});
