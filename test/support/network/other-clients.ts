import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** What another HTTP client made of an answer: absent if it reported an error. */
export type OtherReading = { readonly status: number; readonly body: string } | undefined;

export interface OtherClient {
  /** Posts to a port of the loopback. */
  read(port: number): Promise<OtherReading>;
  stop(): void;
}

const LIMIT_S = 2;

/** @throws when there is no curl: a comparison with nothing would pass */
export async function curl(): Promise<OtherClient> {
  await once(spawn('curl', ['--version'], { stdio: 'ignore' }), 'spawn');
  const options = ['--silent', '--http1.1', '--max-time', String(LIMIT_S), '--data', '{}'];
  const written = ['--output', '-', '--write-out', '\n%{http_code}'];
  return {
    read: (port) =>
      new Promise((resolve) => {
        const url = `http://127.0.0.1:${port}/`;
        execFile('curl', [...options, ...written, url], { encoding: 'latin1' }, (error, text) => {
          const at = text.lastIndexOf('\n');
          resolve(error ? undefined : { status: Number(text.slice(at + 1)), body: text.slice(0, at) });
        });
      }),
    stop: () => {},
  };
}

/** Reads a port from each line, and answers with a line of JSON. */
const PYTHON = `
import http.client, json, sys
for line in sys.stdin:
    connection = http.client.HTTPConnection('127.0.0.1', int(line), timeout=${LIMIT_S})
    try:
        connection.request('POST', '/', body=b'{}')
        answer = connection.getresponse()
        reading = {'status': answer.status, 'body': answer.read().decode('latin1')}
    except Exception:
        reading = None
    connection.close()
    print(json.dumps(reading), flush=True)
`;

/** Python's `http.client`. @throws when there is no Python */
export async function python(): Promise<OtherClient> {
  const child = spawn('python3', ['-c', PYTHON], { stdio: ['pipe', 'pipe', 'inherit'] });
  await once(child, 'spawn');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async read(port) {
      child.stdin.write(`${port}\n`);
      const { value } = await lines.next();
      return JSON.parse(value ?? 'null') ?? undefined;
    },
    stop: () => child.stdin.end(),
  };
}
