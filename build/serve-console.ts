import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { context } from 'esbuild';
import { readOutputs } from '../cli/stage/local-outputs.ts';
import { consolePageHtml } from '../lib/bundling/console-page.ts';
import { consoleParts } from '../lib/bundling/from-sources.ts';
import { PROJECT } from '../lib/project-paths.ts';

/**
 * The console as it is in the working tree, before the API of the running local stack: each change reloads the
 * page. A tab stays signed in.
 *
 * node build/serve-console.ts [port]
 */
const PORT = Number(process.argv[2] ?? 4700);
/** Where a page hears of changes. It is beside the API, which has no such path. */
const CHANGES = '/v1/console-changes';
const RELOADING = `;new EventSource('${path.basename(CHANGES)}').onmessage=()=>location.reload();`;

const { apiUrl } = await readOutputs();
const open = new Set<ServerResponse>();

const watched = await context({
  entryPoints: [path.join(PROJECT, 'console/main.tsx')],
  bundle: true,
  write: false,
  outdir: 'page',
  plugins: [
    {
      name: 'reload',
      setup: ({ onEnd }) => {
        onEnd(({ errors }) => {
          if (errors.length === 0) for (const page of open) page.write('data: changed\n\n');
        });
      },
    },
  ],
});
await watched.watch();

const server = createServer((request, response) => {
  answer(request, response).catch((error: Error) => response.writeHead(502).end(error.message));
}).listen(PORT, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  console.log(`http://127.0.0.1:${port}/v1/console, before ${apiUrl}`);
});

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = 'GET', url = '/' } = request;
  if (url === CHANGES) {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
    open.add(response);
    response.on('close', () => open.delete(response));
  } else if (url === '/v1/console') {
    const { script, style } = consoleParts();
    const { html, headers } = consolePageHtml({}, { script: script + RELOADING, style });
    response.writeHead(200, { ...headers, 'content-type': 'text/html; charset=utf-8' }).end(html);
  } else {
    const { host: _, connection: __, ...headers } = request.headers;
    const answered = await fetch(`${apiUrl}${url}`, {
      method,
      headers: headers as Record<string, string>,
      ...(method === 'GET' || method === 'HEAD' ? {} : { body: await buffer(request) }),
    });
    // fetch has decoded it.
    const { 'content-encoding': ___, 'content-length': ____, ...rest } = Object.fromEntries(answered.headers);
    response.writeHead(answered.status, rest).end(Buffer.from(await answered.arrayBuffer()));
  }
}
