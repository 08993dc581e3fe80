import { pythonSays } from './python-says.ts';

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
