import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import type { Metafile } from 'esbuild';
import { bundle } from '../../../lib/bundling/bundle.ts';
import { writeFunctionCode } from '../../../lib/bundling/function-code.ts';
import {
  FUNCTION_FOLDERS,
  FUNCTION_NAMES,
  type FunctionName,
} from '../../../lib/bundling/function-folders.ts';
import { PROJECT } from '../../../lib/project-paths.ts';
import { STAGES } from '../../../payhooks.config.ts';
import { runSeparately } from '../../support/separate-process.ts';
import { heaviestPackages, kilobytes, partsOf } from '../../support/templates/bundle-contents.ts';

const BUDGET_BYTES = 600_000;

/** Variables that Lambda sets in every function. */
const LAMBDA_ENV = {
  AWS_REGION: 'eu-west-1',
  AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
  AWS_SECRET_ACCESS_KEY: 'a secret',
  AWS_SESSION_TOKEN: 'a session',
};

/** Variables that are parsed at cold start. */
const JSON_VARIABLES: Readonly<Record<string, string>> = {
  CALLBACK_URL_RULES: '{}',
  DELIVERY_POLICY: '{}',
};

const names = FUNCTION_NAMES;

/** Outside the repository, so that a bundle that still needs `node_modules` cannot find it. */
const folder = mkdtempSync(path.join(tmpdir(), 'payhooks-bundles-'));
const made = new Map<string, Metafile>();

beforeAll(() => {
  for (const name of names) {
    made.set(name, writeFunctionCode(name, path.join(folder, name), STAGES.dev));
  }
});

afterAll(() => rmSync(folder, { recursive: true }));

test.each(names)('%s is at most 600 KB, including the files beside its bundle', (name) => {
  const files = readdirSync(path.join(folder, name)).map((file) => path.join(folder, name, file));
  const size = files.reduce((sum, file) => sum + statSync(file).size, 0);
  const weight =
    size > BUDGET_BYTES ? `${kilobytes(size)}: ${heaviestPackages(made.get(name)!)}` : 'in budget';
  expect(weight).toBe('in budget');
});

test.each(names)('%s contains nothing that is unused on Lambda', (name) => {
  expect(filesOf(name, /zod\/v4\/locales\/(?!en\.js|index\.js)/)).toEqual([]);
  expect(filesOf(name, /credential-provider-|nested-clients/)).toEqual([]);
  expect(filesOf(name, /undici\/lib\/(web|mock|llhttp\/llhttp-wasm)/)).toEqual([]);
});

test.each(names)('%s contains only packages that the lockfile knows', (name) => {
  const { packages } = JSON.parse(readFileSync(path.join(PROJECT, 'package-lock.json'), 'utf8'));
  const carried = filesOf(name, /node_modules/).map(
    (file) => /node_modules\/(?:.*node_modules\/)?(?:@[^/]+\/)?[^/]+/.exec(file)![0],
  );
  expect(carried.filter((place) => packages[place] === undefined)).toEqual([]);
});

test('deliver, which handles every webhook, contains neither the X-Ray SDK nor the larger half of zod', () => {
  expect(filesOf('deliver', /aws-xray-sdk|powertools\/tracer|zod\/v4\/classic/)).toEqual([]);
});

test.each(names)('%s loads with nothing but its environment', async (name) => {
  const answer = await runSeparately(
    `const { handler } = await import(${urlOf(name)});
     print(typeof handler);`,
    { cwd: folder, env: await environmentOf(name) },
  );
  expect(answer).toBe('function');
});

test('a bundle sends a webhook and understands the answer', async () => {
  bundle(path.join(PROJECT, 'functions/adapters/http/http-post.ts'), fileOf('http-post'));
  await using partner = await listen(201, '{"taken":true}');
  const answer = await runSeparately(
    `const { httpPost } = await import(${urlOf('http-post')});
     const post = httpPost({ rules: { allowedPorts: [443], allowLoopback: true } });
     print(await post({ url: '${partner.url}/hook', live: false, headers: {}, body: '{"a":"é"}', deadlineMs: 5_000 }));`,
    { cwd: folder, env: {} },
  );
  expect(answer).toMatchObject({ status_code: 201, response_body: '{"taken":true}' });
  expect(partner.requests).toMatchObject([{ url: '/hook', body: '{"a":"é"}' }]);
});

test("a bundle calls AWS with the credentials of Lambda's environment", async () => {
  await using aws = await listen(200, '{}');
  const answer = await runSeparately(
    `const { handler } = await import(${urlOf('authorize')});
     print(await handler({ headers: { authorization: 'Bearer phk_${'a'.repeat(43)}' } }));`,
    { cwd: folder, env: { ...(await environmentOf('authorize')), AWS_ENDPOINT_URL: aws.url } },
  );
  expect(answer).toMatchObject({ context: { refusal: 'unknown' } });
  expect(aws.requests.map(({ headers }) => headers)).toMatchObject([
    {
      authorization: expect.stringContaining('Credential=AKIDEXAMPLE/'),
      'x-amz-security-token': 'a session',
    },
  ]);
});

function fileOf(name: string): string {
  return path.join(folder, name, 'index.mjs');
}

function urlOf(name: string): string {
  return JSON.stringify(pathToFileURL(fileOf(name)).href);
}

function filesOf(name: string, pattern: RegExp): string[] {
  return partsOf(made.get(name)!)
    .map(({ file }) => file)
    .filter((file) => pattern.test(file));
}

/** Lambda's variables and the function's own, as far as loading needs them. */
async function environmentOf(name: FunctionName): Promise<Record<string, string>> {
  const file = path.join(PROJECT, 'functions', FUNCTION_FOLDERS[name], 'env.ts');
  const declared: Record<string, readonly string[]> = existsSync(file) ? await import(file) : {};
  const own = Object.values(declared).flat();
  return {
    ...LAMBDA_ENV,
    ...Object.fromEntries(own.map((variable) => [variable, JSON_VARIABLES[variable] ?? variable])),
  };
}

/** A server that gives every request the same answer and records it. */
async function listen(status: number, answer: string) {
  const requests: { url: string | undefined; headers: IncomingHttpHeaders; body: string }[] = [];
  const server = createServer(async (request, response) => {
    requests.push({ url: request.url, headers: request.headers, body: await text(request) });
    // Closed, so that the client process can exit.
    response.writeHead(status, { connection: 'close', 'content-type': 'application/json' }).end(answer);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    [Symbol.asyncDispose]: async () => void server.close(),
  };
}
