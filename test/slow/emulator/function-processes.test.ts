import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SMALL_HEAPS, sideBySideIn } from '../../../local/emulator/function-processes.ts';
import { removeScratch, scratch } from '../../unit/local/scratch.ts';
import { pythonSays } from './python-says.ts';

describe('function processes', () => {
  afterEach(removeScratch);

  test('the runtime of functions is one file without types, and runs with the limits that functions have', async () => {
    const directory = await scratch();
    const { SIDE_BY_SIDE_RUNTIME = '' } = sideBySideIn(directory);
    await writeFile(join(directory, 'index.mjs'), 'export const handler = () => {};');

    const process = spawn('node', ['--no-experimental-strip-types', SIDE_BY_SIDE_RUNTIME], {
      env: { PATH: globalThis.process.env.PATH, ...SMALL_HEAPS },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    process.stdin.end(`${JSON.stringify({ code_dir: directory, module: 'index', handler: 'handler' })}\n`);
    const [answer] = await once(process.stdout, 'data');

    expect(JSON.parse(String(answer))).toEqual({ status: 'ready' });
    expect(await once(process, 'exit')).toEqual([0, null]);
  });
});

describe('worker logs', () => {
  const FOLLOW = `
import subprocess, sys, threading, queue
from types import SimpleNamespace
from worker_logs import Pipe, drain_stderr, read_stderr

CHILD = """
import sys
for line in sys.stdin:
    for n in range(int(line)):
        print(f"line {n} of {line.strip()}", file=sys.stderr, flush=True)
    print("done", flush=True)
print("never ended", end="", file=sys.stderr, flush=True)
"""
process = subprocess.Popen([sys.executable, "-u", "-c", CHILD], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
worker = SimpleNamespace(_proc=process, _stderr_queue=queue.Queue())
# At first with nobody who reads beside: the thread may always be late.
worker.payhooks_pipe = Pipe(process.stderr.fileno(), worker._stderr_queue)
reader = threading.Thread(target=read_stderr, args=[worker])
for index, count in enumerate([0, 1, 3, 400, 0, 2] * 30):
    if index == 60:
        reader.start()
    process.stdin.write(f"{count}\\n")
    process.stdin.flush()
    process.stdout.readline()
    wanted = "\\n".join(f"line {n} of {count}" for n in range(count))
    found = drain_stderr(worker, first_line_wait=0.1)
    if found != wanted:
        sys.exit(f"wanted {wanted!r}, found {found!r}")
process.stdin.close()
process.wait()
reader.join()
print(drain_stderr(worker))
`;

  test('each invocation gets the lines that it wrote, without waiting for more', async () => {
    expect(await pythonSays(FOLLOW)).toBe('never ended\n');
  });
});

describe('whole answers', () => {
  const WRITE = `
import json, sys
from whole_answers import in_one_piece

seen, later = [], []

class Transport:
    def writelines(self, parts): seen.append(b"".join(parts).decode())
    def close(self): seen.append("closed")
    def is_closing(self): return "closed" in seen

class Protocol:
    def connection_made(self, transport): self.transport = transport

connection = in_one_piece(Protocol, later.append)()
connection.connection_made(Transport())
for step in json.loads(sys.argv[1]):
    for word in step:
        connection.transport.close() if word == "close" else connection.transport.write(word.encode())
    while later:
        later.pop(0)()
seen.append(connection.transport.is_closing())
print(json.dumps(seen))
`;

  /** What is sent, and whether the connection is closed at the end, for these writes in these steps. */
  async function goesOut(...steps: string[][]): Promise<unknown> {
    return JSON.parse(await pythonSays(WRITE, JSON.stringify(steps)));
  }

  test('head and body of an answer are sent in one piece, each answer by itself', async () => {
    expect(await goesOut(['head ', 'body'], ['next head ', 'next body'])).toEqual([
      'head body',
      'next head next body',
      false,
    ]);
  });

  test('data written before the connection closes is still sent', async () => {
    expect(await goesOut(['head ', 'body', 'close'])).toEqual(['head body', 'closed', true]);
  });
});
